// A record has named fields, each with its type.
// safety: no error, since 300 becomes 44 in a byte alone

typedef R { byte b; short s }
R r;
active proctype P() { r.b = 300; r.s = 300; assert(r.b == 44 && r.s == 300) }
