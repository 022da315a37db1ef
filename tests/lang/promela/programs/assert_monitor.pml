// A process of its own can watch all the time.
// safety: assertion, since it can look when x is 2

byte x;
active proctype P() { x = 1; x = 2; x = 3 }
active proctype M() { assert(x != 2) }
