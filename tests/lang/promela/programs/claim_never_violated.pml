// A never claim that gets to its end is violated.
// claim: claim, since x becomes 1

byte x;
active proctype P() { x = 1 }
never { do :: x == 1 -> break :: else od }
