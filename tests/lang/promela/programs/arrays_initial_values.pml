// All elements of an array begin with the value that is written once.
// safety: no error, since both elements are 3

byte a[2] = 3;
active proctype P() { assert(a[0] == 3 && a[1] == 3) }
