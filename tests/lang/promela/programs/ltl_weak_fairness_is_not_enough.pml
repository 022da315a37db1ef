// P is enabled infinitely often, but not all the time.
// ltl: acceptance cycle, since Q alone moves
// fair-ltl: acceptance cycle, since y == 1 is false now and then

byte x, y;
active proctype P() { y == 1 -> x = 1 }
active proctype Q() { do :: y = 1 - y od }
ltl p { <> (x == 1) }
