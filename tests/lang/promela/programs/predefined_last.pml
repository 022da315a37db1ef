// _last is the pid of the process that made the last step.
// safety: no error, since Q waits for a step of P

byte x;
active proctype P() { x = 1 }
active proctype Q() { x == 1 && _last == 0; assert(true) }
