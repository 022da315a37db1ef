// The right side of && is not evaluated if the left is false.
// safety: no error, since a[i] is not read

byte a[2]; byte i = 5;
active proctype P() { assert(!(i < 2 && a[i] == 0)) }
