// A declaration behind a statement is an assignment, and is executed each time.
// safety: no error, since x begins with 0 in each round

active proctype P() { byte n; do :: n < 2 -> byte x; x++; assert(x == 1); n++ :: else -> break od }
