// What remains of 256 in a variable of type byte.
// safety: no error, since it becomes 0

byte x;
active proctype P() { x = 256; assert(x == 0) }
