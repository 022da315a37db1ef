// Priorities can be read and changed.
// safety: no error, since both calls agree

byte x;
active proctype P() priority 3 { assert(get_priority(_pid) == 3); set_priority(_pid, 7); assert(get_priority(_pid) == 7) }
active proctype Q() { x = 1 }
