// init has its place in the order of the text too.
// safety: no error, since P comes before init

active proctype P() { assert(_pid == 0) }
init { assert(_pid == 1) }
