// An execution that is different is fine.
// safety: no error, since b is first

mtype = { a, b }
chan c = [2] of { mtype };
active proctype P() { c!b; c!a }
notrace { c!a; c!b }
