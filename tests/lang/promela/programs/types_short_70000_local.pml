// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 4464

int v = 70000;
active proctype P() { short x; x = v + 0; assert(x == 4464) }
