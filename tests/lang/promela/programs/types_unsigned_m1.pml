// What remains of -1 in a variable of type unsigned of four bits.
// safety: no error, since it becomes 15

unsigned x : 4;
active proctype P() { x = -1; assert(x == 15) }
