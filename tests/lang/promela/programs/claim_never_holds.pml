// One that is blocked on every execution is not.
// claim: no error, since x is never 2

byte x;
active proctype P() { x = 1 }
never { do :: x == 2 -> break :: else od }
