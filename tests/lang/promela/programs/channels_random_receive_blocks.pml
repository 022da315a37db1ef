// It is blocked if none matches.
// safety: invalid end state, since there is no 5

chan c = [2] of { byte };
active proctype P() { c!3; c!4; c??5 }
