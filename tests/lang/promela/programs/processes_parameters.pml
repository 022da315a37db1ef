// Arguments are passed by value, in order.
// safety: no error, since P has copies

byte g = 5;
proctype P(byte a; byte b) { a++; assert(a == 6 && b == 7 && g == 5) }
init { run P(g, 7) }
