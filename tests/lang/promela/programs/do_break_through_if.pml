// break inside an if leaves the loop around it.
// safety: no error, since the loop ends

byte x;
active proctype P() { do :: if :: x == 1 -> break :: x == 0 -> x = 1 fi od; assert(x == 1) }
