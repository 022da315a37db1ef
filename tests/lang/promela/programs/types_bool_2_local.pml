// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 0

int v = 2;
active proctype P() { bool x; x = v + 0; assert(x == 0) }
