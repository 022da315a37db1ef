// _nr_pr is the number of processes that have not died.
// safety: no error, since only init is left at the end

proctype P() { skip }
init { assert(_nr_pr == 1); run P(); _nr_pr == 1; assert(_nr_pr == 1) }
