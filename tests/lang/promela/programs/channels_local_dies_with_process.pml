// A local channel goes when its process dies, so that states stay finite.
// safety: no error, since there is one P at a time

proctype P() { chan c = [1] of { byte }; c!1 }
init { do :: _nr_pr == 1 -> run P() od }
