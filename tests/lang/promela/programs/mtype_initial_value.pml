// A variable of type mtype begins with 0, which is no member.
// safety: no error, since 0 is before the first

mtype = { a, b }
mtype m;
active proctype P() { assert(m == 0 && m != a && m != b) }
