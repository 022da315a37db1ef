// A hidden variable is not part of the state.
// safety: no error, since nothing reads it

hidden byte h;
active proctype P() { do :: h = 1 :: h = 2 od }
