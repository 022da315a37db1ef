// The active processes have the pids 0, 1, ... in the order of the text.
// safety: no error, since Q comes second

active proctype P() { assert(_pid == 0) }
active proctype Q() { assert(_pid == 1) }
