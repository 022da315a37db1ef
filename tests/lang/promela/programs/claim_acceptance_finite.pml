// An execution that ends goes on by repeating its last state.
// acceptance: acceptance cycle, since x stays 1

byte x;
active proctype P() { x = 1 }
never { do :: true :: x == 1 -> break od; accept: do :: x == 1 od }
