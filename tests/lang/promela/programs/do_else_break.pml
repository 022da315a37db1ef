// else is the usual way out.
// safety: no error, since the loop ends at 3

byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od; assert(x == 3) }
