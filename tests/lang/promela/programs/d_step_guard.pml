// Its first statement decides whether it can be executed.
// safety: no error, since Q makes it possible

byte x;
active proctype P() { d_step { x == 1 -> x = 2; x = 3 }; assert(x == 3) }
active proctype Q() { x = 1 }
