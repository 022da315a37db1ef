// timeout is true while a handshake has no partner.
// safety: no error, since S waits forever until then

chan c = [0] of { byte }; byte x;
active proctype S() { if :: c!1 :: timeout -> x = 1 fi; assert(x == 1) }
