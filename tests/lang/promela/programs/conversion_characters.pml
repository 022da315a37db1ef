// A character in quotes is its number.
// safety: no error, since A is 65

byte x = 'A';
active proctype P() { assert(x == 65 && '\n' == 10) }
