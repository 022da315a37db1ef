// The escape of the inner one can itself be interrupted by the outer one.
// safety: no error, since y becomes 3

byte x, y;
active proctype P() { { { x = 1; x = 5 } unless { x == 1 -> y = 1; y = 2 } } unless { y == 1 -> y = 3 }; assert(y == 3) }
