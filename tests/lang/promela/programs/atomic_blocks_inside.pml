// A statement that is blocked inside gives up control.
// safety: assertion and invalid end state, since Q runs while P waits, and P waits forever if Q was first

byte x;
active proctype P() { atomic { x = 1; x == 2; x = 3 } }
active proctype Q() { assert(x != 1); x = 2 }
