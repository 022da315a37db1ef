// Channels that the trace does not name are free.
// safety: no error, since d is not named

mtype = { a, b }
chan c = [1] of { mtype }; chan d = [1] of { mtype };
active proctype P() { d!b; c!a; d?b; c?a }
trace { c!a; c?a }
