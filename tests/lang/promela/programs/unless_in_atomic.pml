// Inside an atomic sequence escapes are tried at each statement too.
// safety: no error, since x == 1 stops it

byte x;
active proctype P() { atomic { { x = 1; x = 2 } unless { x == 1 -> x = 7 } }; assert(x == 7) }
