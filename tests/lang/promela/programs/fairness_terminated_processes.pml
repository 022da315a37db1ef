// Both processes end, and x stays 2 in one execution. SPIN finds it without fairness, and misses it with -f.
// An execution that ends repeats its last state; that is fair, since no process is enabled.
// ltl: acceptance cycle, since x can stay 2
// fair-ltl: no error, since SPIN overlooks executions that end; by the definition it is violated

byte x;
active proctype P() { x = 1 }
active proctype Q() { x = 2 }
ltl p { <>[] (x == 1) }
