// Every number but zero is true.
// safety: no error, since -1 and 2 can be executed

active proctype P() { -1; 2; assert(!0 == 1 && !5 == 0) }
