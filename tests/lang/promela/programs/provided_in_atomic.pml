// The clause counts inside atomic sequences too.
// safety: no error, since P stops itself and Q goes on

byte x;
active proctype P() provided (x != 1) { atomic { x = 1; x = 3 } }
active proctype Q() { x == 1 -> x = 2 }
