// An array of bits is stored in bytes, so that 2 is not cut off.
// safety: no error, since a[0] keeps the 2

bit a[2];
active proctype P() { a[0] = 2; assert(a[0] == 2) }
