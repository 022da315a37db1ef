// A channel can be local, and its name can be sent.
// safety: no error, since the server answers on it

chan server = [0] of { chan };
active proctype S() { chan q; server?q; q!5 }
active proctype C() { chan mine = [0] of { byte }; byte x; server!mine; mine?x; assert(x == 5) }
