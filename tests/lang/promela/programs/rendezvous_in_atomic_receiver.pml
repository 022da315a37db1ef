// If the receiver is in an atomic sequence, it goes on alone.
// safety: no error, since R moves before S

chan c = [0] of { byte }; byte x;
active proctype S() { atomic { x = 1; c!3; x = 2 } }
active proctype R() { atomic { c?3; assert(x == 1); x = 5 } }
