// Neither a block nor an inline call is a step.
// safety: no error, since nothing is asserted

byte x;
inline f() { x = 2 }
active proctype P() { { x = 1 }; f(); { { x = 3 } } }
