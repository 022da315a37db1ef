// Another order is an error.
// safety: trace, since b is sent first

mtype = { a, b }
chan c = [2] of { mtype };
active proctype P() { c!b; c!a }
trace { c!a; c!b }
