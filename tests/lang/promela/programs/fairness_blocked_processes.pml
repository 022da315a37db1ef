// The same with a process that is blocked.
// ltl: acceptance cycle, since x can stay 2
// fair-ltl: no error, since SPIN overlooks executions that end; by the definition it is violated

byte x;
active proctype P() { if :: x = 1 :: x = 2 fi; x == 3 }
ltl p { <>[] (x == 1) }
