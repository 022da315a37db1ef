// W holds also where the right side never does.
// ltl: no error, since x stays 0

byte x, y;
active proctype P() { do :: y = 1 - y od }
ltl p { (x == 0) W (x == 1) }
