// One declaration can have several names with values.
// safety: no error, since each has its own

byte a = 1, b, c = 3;
active proctype P() { assert(a == 1 && b == 0 && c == 3) }
