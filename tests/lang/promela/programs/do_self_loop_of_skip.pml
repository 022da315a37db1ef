// A process that only skips has one state.
// safety: no error, since it never stops

byte x;
active proctype P() { do :: x == 0 od }
