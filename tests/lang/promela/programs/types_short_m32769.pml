// What remains of -32769 in a variable of type short.
// safety: no error, since it becomes 32767

short x;
active proctype P() { x = -32769; assert(x == 32767) }
