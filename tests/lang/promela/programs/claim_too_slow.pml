// If it cannot make a step, the execution does not match it.
// claim: no error, since x is 1 after one step

byte x;
active proctype P() { x = 1; x = 2 }
never { x == 0; x == 0; x == 0; x == 0 }
