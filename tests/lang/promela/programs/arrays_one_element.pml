// An array of one element is also its name alone.
// safety: no error, since a is a[0]

byte a[1];
active proctype P() { a[0] = 4; assert(a[0] == 4) }
