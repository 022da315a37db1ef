// A formula of the form []<> is decided as the definition says, also where executions end.
// ltl: acceptance cycle, since x can stay 2
// fair-ltl: acceptance cycle, since no process is enabled at the end

byte x;
active proctype P() { x = 1 }
active proctype Q() { x = 2 }
ltl p { []<> (x == 1) }
