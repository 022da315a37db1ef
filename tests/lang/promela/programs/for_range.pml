// for counts from the first value to the last, and one further.
// safety: no error, since 1 + 2 + 3 is 6

byte i, s;
active proctype P() { for (i : 1 .. 3) { s = s + i }; assert(s == 6 && i == 4) }
