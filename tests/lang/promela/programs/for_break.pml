// break leaves a for loop.
// safety: no error, since it stops at 2

byte i;
active proctype P() { for (i : 0 .. 5) { if :: i == 2 -> break :: else fi }; assert(i == 2) }
