// break as an option of its own can always be executed, and is a step.
// safety: no error, since x is at most 2

byte x;
active proctype P() { do :: x < 2 -> x++ :: break od; assert(x <= 2) }
