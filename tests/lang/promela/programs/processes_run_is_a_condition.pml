// As a statement run can be executed, since pids of others are not zero.
// safety: no error, since both have been created

byte n;
proctype P() { n++ }
init { (run P()) -> run P(); n == 2 }
