// An assertion that holds is a step like skip.
// safety: no error, since x is 0

byte x;
active proctype P() { assert(x == 0); x = 1 }
