// A bit among several fields has a bit.
// safety: no error, since the 2 is cut off

chan c = [1] of { bit, byte };
active proctype P() { int x, y; c!2,2; c?x,y; assert(x == 0 && y == 2) }
