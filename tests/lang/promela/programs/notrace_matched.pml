// notrace says which order must not occur.
// safety: trace, since it does

mtype = { a, b }
chan c = [2] of { mtype };
active proctype P() { c!a; c!b }
notrace { c!a; c!b }
