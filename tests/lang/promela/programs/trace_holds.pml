// A trace says in which order messages are sent and received.
// safety: no error, since the order is kept

mtype = { a, b }
chan c = [1] of { mtype };
active proctype P() { c!a; c?a; c!b; c?b }
trace { c!a; c?a; c!b; c?b }
