// What remains of 300 in a variable of type byte.
// safety: no error, since it becomes 44

byte x;
active proctype P() { x = 300; assert(x == 44) }
