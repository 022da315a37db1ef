// Several processes can wait for it.
// safety: no error, since each of them gets its turn

byte x;
active [2] proctype P() { timeout -> x++ }
active proctype Q() { x == 2; assert(x == 2) }
