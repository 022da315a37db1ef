// A formula holds on every infinite execution.
// ltl: no error, since x is below 2

byte x;
active proctype P() { do :: x = 1 - x od }
ltl p { [] (x < 2) }
