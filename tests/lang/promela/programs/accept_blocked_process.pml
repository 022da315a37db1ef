// If it is blocked there, fairness does not help.
// acceptance: acceptance cycle, since Q goes on while P waits
// fair-acceptance: acceptance cycle, since P is never enabled

byte x, y;
active proctype P() { accept: x == 5 }
active proctype Q() { do :: y = 1 - y od }
