// A loop goes on until break.
// safety: no error, since x counts to 3

byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; assert(x == 3) }
