// A message can have several fields.
// safety: no error, since each has its place

chan c = [1] of { byte, short, bool };
active proctype P() { byte b; short s; bool t; c!1,-2,true; c?b,s,t; assert(b == 1 && s == -2 && t) }
