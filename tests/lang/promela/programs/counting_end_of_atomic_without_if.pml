// Without the if there is none.
// safety: no error, since nothing is asserted

chan c = [0] of { byte };
active proctype S() { atomic { skip; c!1 } }
active proctype R() { c?_ }
