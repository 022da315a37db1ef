// If it never can, the main sequence runs to its end.
// safety: no error, since y is 1

byte x, y;
active proctype P() { { x = 1; y = 1 } unless { x == 5 -> y = 2 }; assert(y == 1) }
