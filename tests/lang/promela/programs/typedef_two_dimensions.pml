// A matrix is an array of records with an array.
// safety: no error, since only m[1].c[0] has been assigned

typedef Row { byte c[2] }
Row m[2];
active proctype P() { byte i, j; m[1].c[0] = 1; for (i : 0 .. 1) { for (j : 0 .. 1) { assert(m[i].c[j] == (i == 1 && j == 0)) } } }
