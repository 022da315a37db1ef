// The bounds of an array in a record count too.
// safety: index, since there is no r.a[3]

typedef R { byte a[2] }
R r; byte i = 3;
active proctype P() { r.a[i] = 1 }
