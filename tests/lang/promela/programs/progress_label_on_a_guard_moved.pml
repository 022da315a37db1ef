// So it does not count where the guard can be executed, but where the second statement can.
// progress: non-progress cycle, since the other option leaves out that place

byte x;
active proctype P() { do :: x = 1; x = 3 :: progress: x = 0; x = 2 od }
