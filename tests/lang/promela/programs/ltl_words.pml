// The operators can be written as words.
// ltl: no error, since x is 0 or 1

byte x;
active proctype P() { do :: x = 1 - x od }
ltl p { always (x == 0 || x == 1) && always eventually (x == 1) }
