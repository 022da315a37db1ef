// A channel keeps the order of its messages.
// safety: no error, since 1 was sent first

chan c = [2] of { byte };
active proctype P() { byte x; c!1; c!2; c?x; assert(x == 1); c?x; assert(x == 2) }
