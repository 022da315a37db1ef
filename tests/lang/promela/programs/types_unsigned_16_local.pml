// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 0

int v = 16;
active proctype P() { unsigned x : 4; x = v + 0; assert(x == 0) }
