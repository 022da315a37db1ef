// A formula that fails on one is violated.
// ltl: acceptance cycle, since x can stay 0
// fair-ltl: acceptance cycle, since the process that moves is the only one

byte x;
active proctype P() { do :: x = 0 :: x = 1 od }
ltl p { []<> (x == 1) }
