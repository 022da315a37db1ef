// What remains of 70000 in a variable of type int.
// safety: no error, since it fits

int x;
active proctype P() { x = 70000; assert(x == 70000) }
