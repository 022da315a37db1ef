// So it is for a variable with an underscore: SPIN's lexer knows letters and digits only.
// safety: no error, since the values are the same

byte a_b;
active proctype P() { select (a_b : 1 .. 3); assert(a_b >= 1 && a_b <= 3) }
