// A send as an option can be chosen iff there is a partner.
// safety: no error, since nobody receives from d

chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
active proctype S() { if :: d!1 -> x = 1 :: c!1 -> x = 2 fi; assert(x == 2) }
active proctype R() { c?1 }
