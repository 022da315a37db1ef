// Operands become int before the operation, and only the result is cut off.
// safety: no error, since 200 + 100 is 300 before it is halved

byte a = 200, b = 100, c;
active proctype P() { c = (a + b) / 2; assert(c == 150) }
