// A cycle without a progress label.
// progress: non-progress cycle, since the first option can be taken forever

byte x;
active proctype P() { do :: x = 1 :: x = 2; progress: x = 0 od }
