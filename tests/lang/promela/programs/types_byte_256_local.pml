// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 0

int v = 256;
active proctype P() { byte x; x = v + 0; assert(x == 0) }
