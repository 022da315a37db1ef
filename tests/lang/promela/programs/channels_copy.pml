// A receive in angle brackets copies and leaves the message.
// safety: no error, since it can be received afterwards

chan c = [1] of { byte };
active proctype P() { byte x, y; c!3; c?<x>; assert(x == 3 && len(c) == 1); c?y; assert(y == 3) }
