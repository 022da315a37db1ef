// P[pid]@label is true iff the process is at the label.
// safety: no error, since P waits there for Q

byte x;
active proctype P() { x = 1; here: x == 2 }
active proctype Q() { P[0]@here; assert(x == 1); x = 2 }
