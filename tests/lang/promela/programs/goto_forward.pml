// goto leads to its label.
// safety: no error, since the assignment is left out

byte x;
active proctype P() { goto L; x = 1; L: assert(x == 0) }
