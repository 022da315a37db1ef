// An if that begins an option of another is one choice with it, and its else looks at the options before.
// safety: no error, since x = 2 can be executed, so that else is not; by the manual x can be 1

byte x;
active proctype P() { if :: x = 2 :: if :: x == 9 -> skip :: else -> x = 1 fi fi; assert(x != 1) }
