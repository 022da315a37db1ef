// goto and break are steps only where they are an option of their own.
// safety: no error, since nothing is asserted

byte x;
active proctype P() { L: x = 1 - x; if :: x == 1; goto L :: goto M fi; M: x = 5 }
