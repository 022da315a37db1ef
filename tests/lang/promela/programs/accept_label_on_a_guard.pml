// The same for accept labels.
// acceptance: acceptance cycle, since the place is passed by the second option

byte x;
active proctype P() { do :: x = 1; x = 3 :: accept: x = 0; x = 2 od }
