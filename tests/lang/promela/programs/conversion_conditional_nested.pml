// One can be inside another.
// safety: no error, since 2 is neither 0 nor 1

byte x = 2, m;
active proctype P() { m = (x == 0 -> 10 : (x == 1 -> 11 : 12)); assert(m == 12) }
