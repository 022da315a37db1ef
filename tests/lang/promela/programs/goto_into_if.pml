// It can lead into an option.
// safety: no error, since the guard is not asked

byte x;
active proctype P() { goto L; if :: 0 -> L: x = 1 fi; assert(x == 1) }
