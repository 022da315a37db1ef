// What remains of 65535 in a variable of type short.
// safety: no error, since it becomes -1

short x;
active proctype P() { x = 65535; assert(x == -1) }
