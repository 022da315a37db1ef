// U is the strong until.
// ltl: no error, since y is 0 until x is 1

byte x, y;
active proctype P() { x = 1; y = 1 }
ltl p { (y == 0) U (x == 1) }
