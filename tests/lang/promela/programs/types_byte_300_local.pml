// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 44

int v = 300;
active proctype P() { byte x; x = v + 0; assert(x == 44) }
