// V is the dual of U.
// ltl: no error, since y is 0 as long as x is not 1

byte x, y;
active proctype P() { x = 1; y = 1 }
ltl p { (x == 1) V (y == 0) }
