// Each way through an atomic sequence is a transition of its own, also where two lead to the same state.
// safety: no error, since nothing is asserted

byte x, y;
active proctype P() { atomic { if :: x = 1 :: x = 2 fi; x = 0 } }
