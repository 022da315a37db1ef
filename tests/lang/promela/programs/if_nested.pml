// An if can be the first statement of an option.
// safety: assertion, since all three are possible

byte x;
active proctype P() { if :: if :: x = 1 :: x = 2 fi :: x = 3 fi; assert(x != 3) }
