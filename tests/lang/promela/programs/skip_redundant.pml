// Inside a selection SPIN leaves out a skip behind a skip, unless it is first, last or labelled.
// safety: no error, since nothing is asserted

active proctype P() { do :: skip; skip; skip od }
