// The death of a process is a step, from one state to another.
// safety: no error, since all die

active [3] proctype P() { skip }
