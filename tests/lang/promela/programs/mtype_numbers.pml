// The members of an mtype are numbered from the last to the first.
// safety: no error, since c is 1 and a is 3

mtype = { a, b, c }
active proctype P() { assert(a == 3 && b == 2 && c == 1) }
