// A pid is used again after its process has died.
// safety: no error, since the second P gets pid 1 too

proctype P() { assert(_pid == 1) }
init { run P(); _nr_pr == 1; run P() }
