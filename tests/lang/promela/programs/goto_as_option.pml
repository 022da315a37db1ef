// goto as an option of its own is a step.
// safety: no error, since it can always be executed

byte x;
active proctype P() { do :: goto L od; L: x = 1; assert(x == 1) }
