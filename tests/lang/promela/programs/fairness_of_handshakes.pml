// Both partners of a handshake take part in it.
// ltl: acceptance cycle, since L alone can move
// fair-ltl: no error, since the handshake is enabled all the time for both

chan c = [0] of { byte }; byte x, y;
active proctype S() { c!1 }
active proctype R() { c?x }
active proctype L() { do :: y = 1 - y od }
ltl p { <> (x == 1) }
