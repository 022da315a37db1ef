// A channel can carry channels.
// safety: no error, since the reply comes back on r

chan c = [1] of { chan }; chan r = [1] of { byte };
active proctype P() { chan q; c?q; q!9 }
active proctype Q() { byte x; c!r; r?x; assert(x == 9) }
