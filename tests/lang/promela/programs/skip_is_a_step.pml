// skip changes nothing but where the process is.
// safety: no error, since nothing is asserted

active proctype P() { skip; skip }
