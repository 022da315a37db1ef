// xr and xs are hints to the reduction.
// safety: no error, since both processes keep their promise

chan c = [1] of { byte };
active proctype S() { xs c; c!1 }
active proctype R() { xr c; byte x; c?x; assert(x == 1) }
