// While a handshake is made its message is in the channel, and eval sees it there.
// safety: no error, since len(c) is 1 then; by the manual the handshake is blocked

chan c = [0] of { byte };
active proctype S() { c!1 }
active proctype R() { c?eval(len(c)) }
