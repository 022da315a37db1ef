// A cycle through an accept label.
// acceptance: acceptance cycle, since the loop passes it

byte x;
active proctype P() { do :: x = 1; accept: x = 0 od }
