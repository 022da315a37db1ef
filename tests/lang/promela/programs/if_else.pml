// else can be executed iff no other option can.
// safety: no error, since 1 > 0 holds

byte x;
active proctype P() { if :: 1 > 0 -> x = 1 :: else -> x = 2 fi; assert(x == 1) }
