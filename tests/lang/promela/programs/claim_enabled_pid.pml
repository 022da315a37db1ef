// A claim sees variables, not events: _last is the process that moved.
// claim: claim, since Q can be first

byte x;
active proctype P() { x = 1 }
active proctype Q() { x = 2 }
never { do :: _last == 1 -> break :: else od }
