// It must stand at the end label itself.
// safety: invalid end state, since P stands behind it

active proctype P() { end: skip; false }
