// Q can move forever while P waits, unless the scheduler is fair.
// ltl: acceptance cycle, since Q alone moves
// fair-ltl: no error, since P is enabled all the time

byte x, y;
active proctype P() { x = 1 }
active proctype Q() { do :: y = 1 - y od }
ltl p { <> (x == 1) }
