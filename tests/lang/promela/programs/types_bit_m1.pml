// What remains of -1 in a variable of type bit.
// safety: no error, since it becomes 1

bit x;
active proctype P() { x = -1; assert(x == 1) }
