// Parameters are replaced as text, so that an expression is evaluated where it stands.
// safety: no error, since x has changed before it is read again

byte x = 1, y;
inline f(e) { x = 5; y = e }
active proctype P() { f(x + 1); assert(y == 6) }
