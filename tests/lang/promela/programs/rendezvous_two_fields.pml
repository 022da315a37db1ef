// Several fields go at once.
// safety: no error, since both arrive

chan c = [0] of { byte, byte };
active proctype S() { c!1,2 }
active proctype R() { byte x; c?1,x; assert(x == 2) }
