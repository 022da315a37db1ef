// P[pid]:x is the local variable of another process.
// safety: no error, since P has only 0 and 7

active proctype P() { byte x; x = 7 }
active proctype Q() { P[0]:x == 7; assert(P[0]:x == 7 || P[0]:x == 0) }
