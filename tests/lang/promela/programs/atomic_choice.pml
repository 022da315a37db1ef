// A choice inside is still a choice.
// safety: assertion, since y can be 2

byte y;
active proctype P() { atomic { if :: y = 1 :: y = 2 fi; assert(y == 1) } }
