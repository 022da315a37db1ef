// A process with a provided clause makes no step while it is false.
// safety: no error, since P begins after Q

bool go;
active proctype P() provided (go) { assert(go) }
active proctype Q() { go = true }
