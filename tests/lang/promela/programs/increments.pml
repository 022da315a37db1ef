// ++ and -- are assignments.
// safety: no error, since they cancel out

byte a[2]; byte i;
active proctype P() { a[i]++; i++; a[i]--; assert(a[0] == 1 && a[1] == 255 && i == 1) }
