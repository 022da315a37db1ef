// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 1

int v = 3;
active proctype P() { bit x; x = v + 0; assert(x == 1) }
