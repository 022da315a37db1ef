// What remains of -40000 in a variable of type int.
// safety: no error, since it fits

int x;
active proctype P() { x = -40000; assert(x == -40000) }
