// The first field can be written before parentheses.
// safety: no error, since both notations mean the same

mtype = { msg }
chan c = [2] of { mtype, byte, byte };
active proctype P() { byte x, y; c!msg(1,2); c?msg(x,y); assert(x == 1 && y == 2) }
