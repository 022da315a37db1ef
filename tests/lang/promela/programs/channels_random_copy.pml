// The same with ??.
// safety: no error, since (2,8) is found and stays

chan c = [2] of { byte, byte };
active proctype P() { byte x; c!1,7; c!2,8; c?? <2,x>; assert(x == 8 && len(c) == 2) }
