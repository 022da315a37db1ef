// What remains of 3 in a variable of type bit.
// safety: no error, since it becomes 1

bit x;
active proctype P() { x = 3; assert(x == 1) }
