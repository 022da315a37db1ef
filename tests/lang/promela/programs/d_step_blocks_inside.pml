// A statement inside that is blocked is an error.
// safety: blocked d_step, since x is not 5

byte x;
active proctype P() { d_step { x = 1; x == 5; x = 2 } }
