// There can be an array of records, with arrays in them.
// safety: no error, since r[1].a[1] is a place of its own

typedef R { byte a[2]; bit b }
R r[2];
active proctype P() { r[1].a[1] = 5; assert(r[0].a[1] == 0 && r[1].a[1] == 5) }
