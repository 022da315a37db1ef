// There can be an array of channels, each for itself.
// safety: no error, since only d[1] has a message

chan d[2] = [1] of { byte };
active proctype P() { byte x; d[1]!4; assert(len(d[0]) == 0); d[1]?x; assert(x == 4) }
