// What remains of 32768 in a variable of type short.
// safety: no error, since it becomes -32768

short x;
active proctype P() { x = 32768; assert(x == -32768) }
