// A channel is passed as a reference.
// safety: no error, since both use the same channel

chan c = [1] of { byte };
proctype P(chan q) { q!3 }
init { byte x; run P(c); c?x; assert(x == 3) }
