// What remains of 256 in a variable of type pid.
// safety: no error, since it becomes 0

pid x;
active proctype P() { x = 256; assert(x == 0) }
