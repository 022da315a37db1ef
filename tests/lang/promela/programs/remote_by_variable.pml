// The pid can be an expression.
// safety: no error, since p is 0

pid p; byte x;
active proctype P() { here: x == 1 }
active proctype Q() { P[p]@here; x = 1 }
