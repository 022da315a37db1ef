// A constant among the arguments of a receive must be equal.
// safety: no error, since the first field is 1

chan c = [1] of { byte, byte };
active proctype P() { byte x; c!1,7; if :: c?2,x -> assert(false) :: c?1,x fi; assert(x == 7) }
