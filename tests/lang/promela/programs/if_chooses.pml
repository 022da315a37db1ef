// All options that can be executed are possible.
// safety: assertion, since x can be 2

byte x;
active proctype P() { if :: x = 1 :: x = 2 fi; assert(x == 1) }
