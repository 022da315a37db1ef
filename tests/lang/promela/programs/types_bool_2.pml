// What remains of 2 in a variable of type bool.
// safety: no error, since it becomes 0

bool x;
active proctype P() { x = 2; assert(x == 0) }
