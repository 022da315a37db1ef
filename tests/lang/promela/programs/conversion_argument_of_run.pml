// An argument is cut off like an assignment.
// safety: no error, since 256 becomes 0

proctype P(byte b) { assert(b == 0) }
init { run P(256) }
