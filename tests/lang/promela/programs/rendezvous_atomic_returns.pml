// Afterwards the sender's sequence is atomic again.
// safety: no error, since Q never sees 2

chan c = [0] of { byte }; byte x;
active proctype S() { atomic { c!3; x = 2; x = 4 } }
active proctype R() { c?3 }
active proctype Q() { assert(x != 2) }
