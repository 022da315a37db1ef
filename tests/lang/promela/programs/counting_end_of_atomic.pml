// The end of an if that ends an atomic sequence is a place of its own, which is seen after a handshake.
// safety: no error, since nothing is asserted; S makes one step more than it seems

chan c = [0] of { byte };
active proctype S() { atomic { skip; if :: c!1 :: c!2 fi } }
active proctype R() { c?_ }
