// It is not while a younger process lives.
// safety: no error, since the first P cannot die before Q

byte n; bool go;
proctype P() { n++ }
proctype Q() { go }
init { atomic { run P(); run Q() }; n == 1; assert(_nr_pr == 3); go = true }
