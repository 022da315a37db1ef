// After the main sequence the escape is no longer possible.
// safety: no error, since P has left it

byte x, y;
active proctype P() { { x = 1 } unless { x == 2 -> y = 1 }; x = 2; assert(y == 0) }
