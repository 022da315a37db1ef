// A call is not a step of its own.
// safety: no error, since the body is empty but for one statement

byte x;
inline inc() { x++ }
active proctype P() { inc(); inc(); assert(x == 2) }
