// An inline can declare variables.
// safety: no error, since t is local

byte x = 1, y = 2;
inline swap(a, b) { byte t; t = a; a = b; b = t }
active proctype P() { atomic { swap(x, y) }; assert(x == 2 && y == 1) }
