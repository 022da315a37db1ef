// A call can stand in an atomic sequence.
// safety: no error, since nobody comes between

byte x;
inline twice() { x++; x++ }
active proctype P() { atomic { twice() } }
active proctype Q() { assert(x != 1) }
