// What remains of 2 in a variable of type bit.
// safety: no error, since it becomes 0

bit x;
active proctype P() { x = 2; assert(x == 0) }
