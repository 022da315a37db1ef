// An if whose options are all blocked is blocked.
// safety: invalid end state, since neither 0 nor 1 > 2

active proctype P() { if :: 0 :: 1 > 2 -> skip fi }
