// It never blocks.
// safety: assertion, since it is reached with x = 0

byte x;
active proctype P() { if :: assert(x == 1) :: x == 1 fi }
