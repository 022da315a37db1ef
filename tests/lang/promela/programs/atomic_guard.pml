// The first statement decides whether it can begin.
// safety: invalid end state, since x stays 0

byte x;
active proctype P() { atomic { x == 1 -> x = 2 } }
