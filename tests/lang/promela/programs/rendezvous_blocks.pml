// A send without a receiver is blocked.
// safety: invalid end state, since nobody receives

chan c = [0] of { byte };
active proctype S() { c!3 }
