// The body is not executed if the range is empty.
// safety: no error, since 2 is not below 1

byte i, s, hi = 1;
active proctype P() { for (i : 2 .. hi) { s++ }; assert(s == 0 && i == 2) }
