// Each process has an array of its own.
// safety: no error, since no process sees the other's array

active [2] proctype P() { byte a[2]; a[_pid] = 1; assert(a[1 - _pid] == 0) }
