// The text of an inline stands for its call.
// safety: no error, since x is now 3

byte x;
inline set(v, e) { v = e }
active proctype P() { set(x, 3); assert(x == 3) }
