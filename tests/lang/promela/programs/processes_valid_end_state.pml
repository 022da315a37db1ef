// A process at its end is none.
// safety: no error, since all are at their ends

active [2] proctype P() { skip }
