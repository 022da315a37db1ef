// So it is for more than 33 values.
// safety: no error, since the values are the same

byte x;
active proctype P() { select (x : 0 .. 40); assert(x <= 40) }
