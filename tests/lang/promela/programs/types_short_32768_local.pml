// The same in a local variable, by way of an expression.
// safety: no error, since it becomes -32768

int v = 32768;
active proctype P() { short x; x = v + 0; assert(x == -32768) }
