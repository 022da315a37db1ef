// Two blocks can have a variable of the same name.
// safety: no error, since they are two variables

active proctype P() { { byte x = 2; assert(x == 2); x = 3 }; { byte x = 5; assert(x == 5) } }
