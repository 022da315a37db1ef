// A process that is done stays until its children have died.
// safety: no error, since the parent is still counted

proctype C() { assert(_nr_pr == 2) }
init { run C() }
