// A member can be printed by name.
// safety: no error, since printm changes nothing

mtype = { req, ack }
mtype m = req;
active proctype P() { printm(m); printf("%e\n", m); m = ack }
