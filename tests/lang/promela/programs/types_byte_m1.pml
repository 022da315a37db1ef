// What remains of -1 in a variable of type byte.
// safety: no error, since it becomes 255

byte x;
active proctype P() { x = -1; assert(x == 255) }
