// A d_step is one step.
// safety: no error, since Q sees 0 or 2

byte x;
active proctype P() { d_step { x = 1; x = 2 } }
active proctype Q() { assert(x != 1) }
