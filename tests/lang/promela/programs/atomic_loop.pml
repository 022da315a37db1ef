// A loop inside is not interrupted either.
// safety: no error, since Q sees 0 or 3

byte x;
active proctype P() { atomic { do :: x < 3 -> x++ :: else -> break od } }
active proctype Q() { assert(x == 0 || x == 3) }
