// So is an index below zero.
// safety: index, since there is no a[-1]

byte a[2]; int i = -1;
active proctype P() { a[i] = 1 }
