// A process that stays at a progress label makes progress all the time.
// progress: no error, since P waits at its label

byte x, y;
active proctype P() { progress: false }
active proctype Q() { do :: y = 1 - y od }
