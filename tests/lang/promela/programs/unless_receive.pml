// An escape can begin with a receive.
// safety: no error, since P gets out by the message only

chan c = [0] of { byte };
active proctype P() { byte x; { do :: x == 0 od } unless { c?x }; assert(x == 3) }
active proctype Q() { c!3 }
