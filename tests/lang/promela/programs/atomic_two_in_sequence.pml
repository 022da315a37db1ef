// Between two atomic sequences others can come.
// safety: assertion, since Q can see 2

byte x;
active proctype P() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
active proctype Q() { assert(x != 2) }
