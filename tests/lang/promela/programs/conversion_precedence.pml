// Comparison binds closer than `&`, as in C.
// safety: no error, since 6 & 2 == 2 is 6 & 1

byte x = 6;
active proctype P() { assert((x & 2 == 2) == 0); assert(2 + 3 * 4 == 14); assert((1 || 0 && 0) == 1) }
