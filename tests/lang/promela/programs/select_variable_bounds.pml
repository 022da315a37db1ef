// With bounds that are not numbers it is a loop, so that there are more states.
// safety: no error, since 1 and 2 are all

byte x, hi = 2;
active proctype P() { select (x : 1 .. hi); assert(x >= 1 && x <= 2) }
