// Each process has its own.
// safety: no error, since nobody takes the other's message

active [2] proctype P() { chan c = [1] of { byte }; byte x; c!_pid; c?x; assert(x == _pid) }
