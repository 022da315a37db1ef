// Any receiver that matches can be the partner.
// safety: assertion, since T can be it

chan c = [0] of { byte }; byte who;
active proctype S() { c!3; assert(who != 1) }
active [2] proctype R() { byte x; end: c?x -> skip }
active proctype T() { byte x; end: atomic { c?x -> who = 1 } }
