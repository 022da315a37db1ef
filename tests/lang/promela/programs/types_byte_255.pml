// What remains of 255 in a variable of type byte.
// safety: no error, since it fits

byte x;
active proctype P() { x = 255; assert(x == 255) }
