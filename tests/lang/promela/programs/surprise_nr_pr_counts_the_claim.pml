// A never claim or ltl block is a process for _nr_pr.
// ltl: no error, since _nr_pr is 2 where the formula is checked, so that P is blocked; by the manual x becomes 1

byte x;
active proctype P() { do :: _nr_pr == 1 -> x = 1 - x od }
ltl p { [] (x == 0) }
