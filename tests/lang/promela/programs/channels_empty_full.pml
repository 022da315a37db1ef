// empty, nempty, full and nfull ask about the length.
// safety: no error, since they follow the channel

chan c = [1] of { byte };
active proctype P() { empty(c); nfull(c); c!1; full(c); nempty(c); assert(len(c) == 1) }
