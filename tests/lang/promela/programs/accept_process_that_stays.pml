// A process that stays at an accept label makes every cycle of others an acceptance cycle.
// acceptance: acceptance cycle, since Q goes on while P stays
// fair-acceptance: no error, since P can always move

byte x, y;
active proctype P() { accept: x = 1 }
active proctype Q() { do :: y = 1 - y od }
