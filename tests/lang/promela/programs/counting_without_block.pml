// Without the block there is one place.
// safety: no error, since nothing is asserted

byte x;
active proctype P() { do :: x = 0 od }
