// One that does not is an error.
// safety: assertion, since x is 1

byte x = 1;
active proctype P() { assert(x == 0) }
