// An execution that ends repeats its last state.
// ltl: no error, since x stays 1

byte x;
active proctype P() { x = 1 }
ltl p { <>[] (x == 1) }
