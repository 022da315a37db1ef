// An arrow and a semicolon mean the same, and one too many does no harm.
// safety: no error, since the statements follow each other

byte x;
active proctype P() { x == 0 -> x = 1; x == 1; x = 2 -> assert(x == 2); };
