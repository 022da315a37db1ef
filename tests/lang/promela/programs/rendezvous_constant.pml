// The receiver must match.
// safety: invalid end state, since 3 is not 4

chan c = [0] of { byte };
active proctype S() { c!3 }
active proctype R() { c?4 }
