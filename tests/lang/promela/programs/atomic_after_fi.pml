// An if at the end of an atomic sequence belongs to it.
// safety: no error, since Q sees 0 or 2

byte x;
active proctype P() { atomic { x = 1; if :: x = 2 :: x = 3 fi } }
active proctype Q() { assert(x != 1) }
