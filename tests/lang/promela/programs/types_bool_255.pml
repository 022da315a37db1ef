// What remains of 255 in a variable of type bool.
// safety: no error, since it becomes 1

bool x;
active proctype P() { x = 255; assert(x == 1) }
