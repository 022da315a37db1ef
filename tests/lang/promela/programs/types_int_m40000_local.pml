// The same in a local variable, by way of an expression.
// safety: no error, since it fits

int v = -40000;
active proctype P() { int x; x = v + 0; assert(x == -40000) }
