// It is false if the first message does not match.
// safety: invalid end state, since 4 is second

chan c = [2] of { byte };
active proctype P() { c!3; c!4; c?[4] }
