// A local variable may begin with an expression; it is evaluated when the process is created.
// safety: no error, since g was 1 then

byte g = 1;
proctype P() { byte x = g; assert(x == 1) }
init { run P(); g = 2 }
