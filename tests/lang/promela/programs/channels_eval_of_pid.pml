// eval(_pid) takes what is addressed to the process.
// safety: no error, since each gets its own

chan c = [2] of { byte };
active [2] proctype P() { c!_pid; c??eval(_pid) }
