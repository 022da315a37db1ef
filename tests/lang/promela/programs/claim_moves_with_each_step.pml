// The claim makes one step for each step of the system, beginning before the first.
// claim: claim, since the initial state is seen too

byte x;
active proctype P() { x = 1; x = 2 }
never { x == 0; x == 1; x == 2 }
