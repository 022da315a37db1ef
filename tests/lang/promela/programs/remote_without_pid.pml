// The pid can be left out if there is one process of the type.
// safety: no error, since P is meant

byte x;
active proctype P() { x = 1; here: x == 2 }
active proctype Q() { P@here; assert(x == 1); x = 2 }
