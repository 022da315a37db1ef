// A state in the middle of an atomic sequence counts iff the sequence is blocked there.
// safety: no error, since Q opens it

bool b; byte x;
active proctype P() { atomic { x = 1; x = 2; b; x = 3; x = 4 } }
active proctype Q() { b = true }
