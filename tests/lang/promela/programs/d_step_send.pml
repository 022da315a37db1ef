// Buffered channels can be used inside.
// safety: no error, since there is room

chan c = [2] of { byte };
active proctype P() { byte x; d_step { c!1; c!2; c?x }; assert(x == 1 && len(c) == 1) }
