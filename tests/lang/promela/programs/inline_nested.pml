// One inline can call another.
// safety: no error, since x grows by two

byte x;
inline one(v) { v++ }
inline two(v) { one(v); one(v) }
active proctype P() { two(x); assert(x == 2) }
