// An assertion inside counts.
// safety: assertion, since x is 1 then

byte x;
active proctype P() { d_step { x = 1; assert(x == 2); x = 2 } }
