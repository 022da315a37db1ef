// As an option it can be chosen iff its first statement can be executed.
// safety: no error, since the other guard is false

byte x;
active proctype P() { if :: d_step { x == 0 -> x = 2 } :: d_step { x == 1 -> x = 3 } fi; assert(x == 2) }
