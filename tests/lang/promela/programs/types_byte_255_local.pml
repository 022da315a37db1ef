// The same in a local variable, by way of an expression.
// safety: no error, since it fits

int v = 255;
active proctype P() { byte x; x = v + 0; assert(x == 255) }
