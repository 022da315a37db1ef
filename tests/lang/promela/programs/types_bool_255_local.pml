// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 1

int v = 255;
active proctype P() { bool x; x = v + 0; assert(x == 1) }
