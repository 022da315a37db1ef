// Processes can be created again and again as long as they die.
// safety: no error, since only one lives beside init

proctype P() { skip }
init { do :: _nr_pr == 1 -> run P() od }
