// It is false after the process has gone on.
// safety: invalid end state, since P may be gone when Q asks

byte x;
active proctype P() { here: x = 1 }
active proctype Q() { x == 1; P[0]@here }
