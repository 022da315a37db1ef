// It can be a part of a condition.
// safety: invalid end state, since x is never 1

byte x;
active proctype P() { timeout && x == 1; assert(false) }
