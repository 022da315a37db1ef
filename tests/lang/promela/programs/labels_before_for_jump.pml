// The jump itself shows it: the loop is over, and stays over.
// safety: no error, since n does not grow

byte i, n, m;
active proctype P() { L: for (i : 1 .. 2) { n++ }; if :: m < 1 -> m++; goto L :: else fi; assert(n == 2) }
