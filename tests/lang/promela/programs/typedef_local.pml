// A record can be local.
// safety: no error, since each process has its own

typedef R { byte x }
active [2] proctype P() { R r; r.x = _pid; assert(r.x == _pid) }
