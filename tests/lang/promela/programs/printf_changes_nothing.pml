// Printing is a step that changes nothing.
// safety: no error, since x is still 1

byte x = 1;
active proctype P() { printf("%d %c %x %o %u\n", x, x, x, x, x); assert(x == 1) }
