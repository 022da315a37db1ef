// No other process comes between the statements of an atomic sequence.
// safety: no error, since Q sees 0 or 2

byte x;
active proctype P() { atomic { x = 1; x = 2 } }
active proctype Q() { assert(x != 1) }
