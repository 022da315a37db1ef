// What remains of 257 in a variable of type pid.
// safety: no error, since it becomes 1

pid x;
active proctype P() { x = 257; assert(x == 1) }
