// What remains of 70000 in a variable of type short.
// safety: no error, since it becomes 4464

short x;
active proctype P() { x = 70000; assert(x == 4464) }
