// Of two nested ones the outer escape is tried first.
// safety: no error, since y becomes 2

byte x, y;
active proctype P() { { { x = 1; x = 5 } unless { x == 1 -> y = 1 } } unless { x == 1 -> y = 2 }; assert(y == 2) }
