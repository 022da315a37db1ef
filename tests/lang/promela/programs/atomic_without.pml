// Without it another comes between.
// safety: assertion, since Q can see 1

byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { assert(x != 1) }
