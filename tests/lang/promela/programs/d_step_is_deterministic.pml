// Where there is a choice the first option that can be executed is taken.
// safety: no error, since the first one is taken

byte x;
active proctype P() { d_step { if :: x = 1 :: x = 2 fi }; assert(x == 1) }
