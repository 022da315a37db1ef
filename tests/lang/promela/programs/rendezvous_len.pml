// A handshake channel is always empty.
// safety: no error, since len is 0 in every state

chan c = [0] of { byte };
active proctype S() { c!3 }
active proctype R() { byte x; assert(len(c) == 0); c?x; assert(len(c) == 0) }
