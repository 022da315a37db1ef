// What remains of 16 in a variable of type unsigned of four bits.
// safety: no error, since it becomes 0

unsigned x : 4;
active proctype P() { x = 16; assert(x == 0) }
