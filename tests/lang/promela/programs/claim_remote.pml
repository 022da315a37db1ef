// A claim can refer to labels.
// claim: claim, since both can be there

byte x;
active [2] proctype P() { x++; cs: x-- }
never { do :: P[0]@cs && P[1]@cs -> break :: else od }
