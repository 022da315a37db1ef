// In the other order it can be executed.
// safety: assertion, since no option before it can

byte x;
active proctype P() { if :: if :: x == 9 -> skip :: else -> x = 1 fi :: x = 2 fi; assert(x != 1) }
