// Dying is a step, too, and waits for the clause.
// safety: no error, since P is at its end, which is valid

byte x;
active proctype P() provided (x == 0) { x = 1 }
