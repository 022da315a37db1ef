// Processes that are created in an atomic sequence wait for its end.
// safety: no error, since both exist when the first moves

byte n;
proctype P() { n++; assert(n == 2 || _nr_pr == 3) }
init { atomic { run P(); run P() }; _nr_pr == 1 }
