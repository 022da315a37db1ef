// len is the number of messages.
// safety: no error, since two were sent

chan c = [3] of { byte };
active proctype P() { assert(len(c) == 0); c!1; c!1; assert(len(c) == 2) }
