// They are conditions like others.
// safety: invalid end state, since nothing was sent

chan c = [1] of { byte };
active proctype P() { full(c) }
