// A message can be a record.
// safety: no error, since both fields arrive

typedef R { byte a; byte b }
chan c = [1] of { R };
active proctype P() { R x, y; x.a = 1; x.b = 2; c!x; c?y; assert(y.a == 1 && y.b == 2) }
