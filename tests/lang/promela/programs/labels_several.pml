// A statement can have several labels.
// safety: no error, since both lead there

byte x;
active proctype P() { goto M; x = 1; L: M: x++; if :: x < 2 -> goto L :: else fi; assert(x == 2) }
