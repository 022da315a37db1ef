// Division and remainder are those of C.
// safety: no error, since -7 / 2 is -3 and the rest -1

int x = -7;
active proctype P() { assert(x / 2 == -3 && x % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1) }
