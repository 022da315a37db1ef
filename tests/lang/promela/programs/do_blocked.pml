// A loop whose options are all blocked is blocked.
// safety: invalid end state, since x stays 3

byte x;
active proctype P() { do :: x < 3 -> x++ od }
