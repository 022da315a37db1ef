// What remains of 21 in a variable of type unsigned of four bits.
// safety: no error, since it becomes 5

unsigned x : 4;
active proctype P() { x = 21; assert(x == 5) }
