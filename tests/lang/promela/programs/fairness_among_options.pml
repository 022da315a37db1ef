// Fairness of processes says nothing about the options of one process.
// ltl: acceptance cycle, since P can always take the first option
// fair-ltl: acceptance cycle, since P moves all the time

byte x;
active proctype P() { do :: x == 0 -> skip :: x == 0 -> x = 1 od }
ltl p { <> (x == 1) }
