// A declaration in a block is a step.
// safety: no error, since nothing is asserted

active proctype P() { byte a = 1; { byte b; b = a } }
