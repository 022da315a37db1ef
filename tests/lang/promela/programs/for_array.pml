// for over an array gives the indices.
// safety: no error, since there are three

byte a[3] = 2, i, s;
active proctype P() { for (i in a) { s = s + a[i] }; assert(s == 6) }
