// An index can be any expression, an element of another array too.
// safety: no error, since a[b[0]] is a[1]

byte a[2], b[2];
active proctype P() { b[0] = 1; a[b[0]] = 7; assert(a[1] == 7) }
