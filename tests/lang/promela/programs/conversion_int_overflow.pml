// An int wraps around as in C.
// safety: no error, since 2^31 - 1 plus 1 is -2^31

int x = 2147483647;
active proctype P() { x++; assert(x < 0) }
