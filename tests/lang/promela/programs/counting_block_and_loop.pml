// A block and the loop that begins it are two places, though nothing happens between them.
// safety: no error, since nothing is asserted; the initial state is the block, and all others the loop

byte x;
active proctype P() { { do :: x = 0 od } }
