// A handshake from inside an atomic sequence ends it for the sender, if the receiver is in none.
// safety: assertion, since R can look before S goes on

chan c = [0] of { byte }; byte x;
active proctype S() { atomic { x = 1; c!3; x = 2 } }
active proctype R() { c?3; assert(x == 2) }
