// A jump out of an atomic sequence ends it.
// safety: assertion, since Q can come between

byte x;
active proctype P() { atomic { x = 1; goto L; x = 2 }; L: x = 0 }
active proctype Q() { assert(x != 1) }
