// It can make a loop.
// safety: no error, since x counts to 2

byte x;
active proctype P() { L: x++; if :: x < 2 -> goto L :: else fi; assert(x == 2) }
