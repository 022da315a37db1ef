// The clause can contain _pid.
// safety: no error, since they take turns

byte turn;
active [2] proctype P() provided (turn == _pid) { do :: turn = 1 - turn od }
