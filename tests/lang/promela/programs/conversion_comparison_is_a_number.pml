// A comparison has the value 1 or 0.
// safety: no error, since 1 + 1 is 2

byte x;
active proctype P() { x = (3 > 2) + (2 > 1); assert(x == 2) }
