// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 15

int v = -1;
active proctype P() { unsigned x : 4; x = v + 0; assert(x == 15) }
