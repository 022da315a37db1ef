// An element of an array can receive.
// safety: no error, since the index is evaluated first

chan c = [1] of { byte }; byte a[2]; byte i = 1;
active proctype P() { c!6; c?a[i]; assert(a[1] == 6 && a[0] == 0) }
