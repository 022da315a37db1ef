// A process that is blocked does not hold up others.
// safety: no error, since H waits for L

byte x;
active proctype L() priority 1 { x = 1 }
active proctype H() priority 5 { x == 1; assert(x == 1); x = 2 }
