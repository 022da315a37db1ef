// So is the field of a message.
// safety: no error, since 300 becomes 44

chan c = [1] of { byte };
active proctype P() { int x; c!300; c?x; assert(x == 44) }
