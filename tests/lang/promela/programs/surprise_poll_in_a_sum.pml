// The C code that SPIN generates for a poll has no parentheses around it, if there are handshakes in the model.
// safety: assertion, since SPIN reads true && (false + 3), which is 1; by the manual x is 3

chan c = [1] of { byte }; chan d = [0] of { byte }; byte x;
active proctype P() { x = (c?[0]) + 3; assert(x == 3) }
