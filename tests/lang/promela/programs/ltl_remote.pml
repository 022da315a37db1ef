// A formula can refer to labels.
// ltl: acceptance cycle, since P[1] can be starved
// fair-ltl: no error, since each process can always move

byte x;
active [2] proctype P() { do :: x = 0; cs: x = 1 od }
ltl p { []<> P[1]@cs }
