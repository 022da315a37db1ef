// A bit that is the whole message has a byte.
// safety: no error, since the 2 is kept

chan c = [1] of { bit };
active proctype P() { int x; c!2; c?x; assert(x == 2) }
