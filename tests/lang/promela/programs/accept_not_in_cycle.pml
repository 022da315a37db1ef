// A label outside of all cycles.
// acceptance: no error, since it is passed once

byte x;
active proctype P() { accept: x = 2; do :: x == 2 -> x = 3; x = 2 od }
