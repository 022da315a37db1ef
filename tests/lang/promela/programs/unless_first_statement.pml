// The escape is tried before the first statement as well.
// safety: no error, since the main sequence never begins

byte y;
active proctype P() { { y = 1; y = 2 } unless { y == 0 -> y = 9 }; assert(y == 9) }
