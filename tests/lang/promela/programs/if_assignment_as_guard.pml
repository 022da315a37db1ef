// An assignment is always possible.
// safety: no error, since something happens

byte x;
active proctype P() { if :: x = 1 :: 0 fi; assert(x == 1) }
