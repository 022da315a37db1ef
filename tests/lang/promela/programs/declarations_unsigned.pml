// unsigned has as many bits as are written.
// safety: no error, since 9 has 1001 in binary

unsigned u : 3 = 7;
active proctype P() { assert(u == 7); u++; assert(u == 0); u = 9; assert(u == 1); u = -1; assert(u == 7) }
