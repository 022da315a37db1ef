// A conditional expression has one of two values.
// safety: no error, since x is larger

byte x = 5, y = 3, m;
active proctype P() { m = (x > y -> x : y); assert(m == 5); m = (x < y -> x : y); assert(m == 3) }
