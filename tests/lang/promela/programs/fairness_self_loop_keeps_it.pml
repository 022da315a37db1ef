// A process that loops forever makes the error visible again.
// ltl: acceptance cycle, since x can stay 2
// fair-ltl: acceptance cycle, since only the loop goes on

byte x;
active proctype P() { x = 1 }
active proctype Q() { x = 2 }
active proctype L() { do :: x < 9 od }
ltl p { <>[] (x == 1) }
