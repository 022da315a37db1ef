// ?? takes the first message that matches.
// safety: no error, since 4 goes and 3 stays

chan c = [2] of { byte };
active proctype P() { byte x; c!3; c!4; c??4; c?x; assert(x == 3) }
