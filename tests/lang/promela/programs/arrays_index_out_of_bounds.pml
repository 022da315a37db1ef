// An index beyond the end of an array is an error of its own.
// safety: index, since there is no a[2]

byte a[2]; byte i = 2;
active proctype P() { a[i] = 1 }
