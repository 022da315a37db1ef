// When it can go on, the rest is atomic again.
// safety: no error, since 3 is followed by 4 at once

byte x;
active proctype P() { atomic { x = 1; x == 2; x = 3; x = 4 } }
active proctype Q() { x == 1 -> x = 2; assert(x != 3) }
