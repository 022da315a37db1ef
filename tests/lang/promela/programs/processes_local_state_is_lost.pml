// What a dead process knew is not part of the state.
// safety: no error, since all ways end in one state

proctype P(byte x) { skip }
init { byte i; if :: i = 1 :: i = 2 fi; run P(i); _nr_pr == 1; i = 0 }
