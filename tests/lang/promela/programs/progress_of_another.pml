// Progress of any process counts.
// progress: non-progress cycle, since Q can move alone
// fair-progress: no error, since P moves too

byte x, y;
active proctype P() { do :: x = 1; progress: x = 0 od }
active proctype Q() { do :: y = 1 - y od }
