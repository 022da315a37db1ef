// A receive from an empty channel is blocked.
// safety: invalid end state, since nobody sends

chan c = [1] of { byte };
active proctype P() { byte x; c?x }
