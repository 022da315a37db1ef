// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 5

int v = 21;
active proctype P() { unsigned x : 4; x = v + 0; assert(x == 5) }
