// run has the pid of the new process as its value.
// safety: no error, since init is 0

proctype P() { skip }
init { pid p; p = run P(); assert(p == 1) }
