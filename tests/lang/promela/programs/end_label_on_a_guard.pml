// And for end labels.
// safety: no error, since P waits behind the guard

byte x;
active proctype P() { if :: end: x == 0; x == 1 fi }
