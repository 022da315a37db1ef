// With priorities only the enabled processes with the highest one make steps.
// safety: no error, since H is done before L begins

byte x;
active proctype L() priority 1 { assert(x == 1) }
active proctype H() priority 5 { x = 1 }
