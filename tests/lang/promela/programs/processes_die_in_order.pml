// A process can die only after those that were created later.
// safety: no error, since P waits for Q to die

byte n;
active proctype P() { n++ }
active proctype Q() { n == 1 && _nr_pr == 2; assert(_nr_pr == 2) }
