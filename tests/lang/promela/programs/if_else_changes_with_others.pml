// Whether else can be executed is decided anew in each state.
// safety: assertion, since Q can be first or second

byte x, y;
active proctype P() { if :: x == 1 -> y = 1 :: else -> y = 2 fi; assert(y == 1) }
active proctype Q() { x = 1 }
