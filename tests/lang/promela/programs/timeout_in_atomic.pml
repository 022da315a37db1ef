// An atomic sequence that waits for it loses control first.
// safety: no error, since Q moves before

byte x;
active proctype P() { atomic { x = 1; timeout; assert(x == 2) } }
active proctype Q() { x == 1 -> x = 2 }
