// break leaves the innermost loop.
// safety: no error, since the outer loop goes on twice

byte x, n;
active proctype P() { do :: n < 2 -> n++; do :: x++; break od :: else -> break od; assert(x == 2) }
