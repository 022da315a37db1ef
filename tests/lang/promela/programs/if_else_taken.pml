// It is taken where the others are blocked.
// safety: no error, since 0 > 1 does not hold

byte x;
active proctype P() { if :: 0 > 1 -> x = 1 :: else -> x = 2 fi; assert(x == 2) }
