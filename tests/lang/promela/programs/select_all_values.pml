// select chooses any value of the range.
// safety: assertion, since 3 is in it

byte x;
active proctype P() { select (x : 1 .. 3); assert(x != 3) }
