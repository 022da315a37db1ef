// It can leave loops.
// safety: no error, since both loops are left

byte x;
active proctype P() { do :: do :: goto out od od; out: assert(x == 0) }
