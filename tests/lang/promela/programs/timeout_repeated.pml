// A loop that does nothing but time out goes on and on.
// safety: no error, since nothing is asserted

byte x;
active proctype P() { do :: timeout -> x = 1 - x od }
