// Several declarations of mtype without a name are one set.
// safety: no error, since the numbers go on

mtype = { a, b }
mtype = { c }
active proctype P() { assert(a == 3 && b == 2 && c == 1 || a == 2 && b == 1 && c == 3) }
