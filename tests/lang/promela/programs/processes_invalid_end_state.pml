// A process that cannot go on and is not at its end is an error.
// safety: invalid end state, since 0 is never true

active proctype P() { 0 }
