// Of several that match it is the oldest.
// safety: no error, since (1,5) was sent before (1,6)

chan c = [3] of { byte, byte };
active proctype P() { byte x; c!2,4; c!1,5; c!1,6; c??1,x; assert(x == 5 && len(c) == 2) }
