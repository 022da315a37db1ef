// Or with a send, which is possible iff a receiver is ready.
// safety: no error, since R takes it

chan c = [0] of { byte }; byte x, y;
active proctype P() { { x == 5 } unless { c!3 -> y = 1 }; assert(y == 1) }
active proctype R() { byte v; c?v; assert(v == 3) }
