// else works inside.
// safety: no error, since x is not 1

byte x;
active proctype P() { d_step { if :: x == 1 -> x = 5 :: else -> x = 7 fi }; assert(x == 7) }
