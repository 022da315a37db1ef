// The place of else among the options does not matter.
// safety: no error, since x == 0 holds

byte x, y;
active proctype P() { if :: else -> y = 2 :: x == 0 -> y = 1 fi; assert(y == 1) }
