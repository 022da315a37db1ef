// A label on the first statement of an option counts at the place behind it, which is the loop here.
// progress: no error, since the process always passes the loop

byte x;
active proctype P() { do :: x = 1 :: progress: x = 0 od }
