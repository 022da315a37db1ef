// So the process with the highest priority is created first.
// safety: no error, since H is done when L is created

byte x;
proctype H() { x = 1 }
proctype L() { assert(x == 1) }
init { atomic { run H() priority 9; run L() priority 2 } }
