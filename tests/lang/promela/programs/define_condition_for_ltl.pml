// Macros are often names of conditions.
// ltl: no error, since x stays below 3

#define small (x < 3)
byte x;
active proctype P() { do :: x = (x + 1) % 3 od }
ltl { []small }
