// Bitwise operators work on int.
// safety: no error, since ~0 is -1

int x = 12;
active proctype P() { assert((x & 10) == 8 && (x | 3) == 15 && (x ^ 5) == 9 && ~0 == -1) }
