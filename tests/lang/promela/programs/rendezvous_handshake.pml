// Without a buffer, send and receive are one step.
// safety: no error, since x is there at once

chan c = [0] of { byte };
active proctype S() { c!3 }
active proctype R() { byte x; c?x; assert(x == 3) }
