// It is false while another process can move.
// safety: no error, since Q has finished by then

byte x;
active proctype P() { timeout; assert(x == 2) }
active proctype Q() { x = 1; x = 2 }
