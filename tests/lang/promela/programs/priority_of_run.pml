// run can give a priority; a process with a higher one than its creator moves at once, even if the creator is in an atomic sequence.
// safety: assertion, since L moves before H exists

byte x;
proctype H() { x = 1 }
proctype L() { assert(x == 1) }
init { atomic { run L() priority 2; run H() priority 9 } }
