// A process that jumps into an atomic sequence is in it from its next step on.
// safety: assertion, since Q comes before that step

byte x;
active proctype P() { goto L; atomic { x = 1; L: x = 2; x = 3 }; skip }
active proctype Q() { assert(x != 0) }
