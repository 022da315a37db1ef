// It chooses none outside.
// safety: no error, since 1, 2 and 3 are all

byte x;
active proctype P() { select (x : 1 .. 3); assert(x >= 1 && x <= 3) }
