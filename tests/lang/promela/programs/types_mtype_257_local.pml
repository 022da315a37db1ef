// The same in a local variable, by way of an expression.
// safety: no error, since it becomes 1

mtype = { one }
int v = 257;
active proctype P() { mtype x; x = v + 0; assert(x == 1) }
