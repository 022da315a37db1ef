// true and false are 1 and 0, skip is a statement that is true.
// safety: no error, since true is 1

bool b = true;
active proctype P() { assert(b == 1 && false == 0); skip; true; b }
