// A loop inside runs to its end.
// safety: no error, since it counts to 3

byte x, i;
active proctype P() { d_step { for (i : 1 .. 3) { x = x + i } }; assert(x == 6) }
