// It is blocked as a whole if its own options are.
// safety: no error, since only x = 3 is possible

byte x;
active proctype P() { if :: if :: 0 -> x = 1 :: x == 9 fi :: x = 3 fi; assert(x == 3) }
