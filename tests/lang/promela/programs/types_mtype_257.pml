// What remains of 257 in a variable of type mtype.
// safety: no error, since it becomes 1

mtype = { one }
mtype x;
active proctype P() { x = 257; assert(x == 1) }
