// As soon as the escape can be executed, nothing else of the main sequence is.
// safety: no error, since x == 1 leads to the escape

byte x, y;
active proctype P() { { x = 1; y = 1 } unless { x == 1 -> y = 2 }; assert(y == 2) }
