// A loop with an escape: the usual way to write an interrupt.
// safety: no error, since the loop is left at 3

byte x;
active proctype P() { do :: x++ od unless { x == 3 }; assert(x == 3) }
