// active [n] creates n processes.
// safety: no error, since three of them have counted

byte n;
active [3] proctype P() { n++ }
active proctype Q() { n == 3; assert(n == 3) }
