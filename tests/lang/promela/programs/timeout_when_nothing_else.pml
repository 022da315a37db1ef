// timeout is true iff no statement in the whole system can be executed.
// safety: no error, since the receive never can

chan c = [0] of { byte }; byte x;
active proctype P() { byte v; if :: c?v :: timeout -> x = 1 fi; assert(x == 1) }
