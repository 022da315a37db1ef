// The name _ can be assigned and is never read.
// safety: no error, since the message is thrown away

chan c = [1] of { byte };
active proctype P() { c!3; c?_; assert(empty(c)) }
