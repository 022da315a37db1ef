// else comes before timeout, since it is a statement that can be executed.
// safety: no error, since the else branch is taken

byte x;
active proctype P() { if :: x == 9 -> skip :: else -> x = 1 fi }
active proctype Q() { timeout; assert(x == 1) }
