// Something that always happens.
// ltl: no error, since P cannot stay where it is

byte x;
active proctype P() { x = 1; x = 2 }
ltl p { <> (x == 2) }
