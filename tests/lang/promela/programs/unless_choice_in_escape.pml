// Several options of one escape are all possible.
// safety: assertion, since y can be 2

byte y;
active proctype P() { { y == 7 } unless { if :: y == 0 -> y = 1 :: y = 2 fi }; assert(y == 1) }
