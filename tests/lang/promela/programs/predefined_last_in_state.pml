// It is part of the state, if it is used.
// safety: no error, since nothing is asserted

byte x;
active proctype P() { do :: x = 1 od }
active proctype Q() { do :: x = 1 od }
active proctype R() { _last == 7 }
