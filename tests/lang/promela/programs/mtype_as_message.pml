// A member in a receive is matched.
// safety: invalid end state, since the message is not ack

mtype = { req, ack }
chan c = [1] of { mtype };
active proctype P() { c!req; c?ack }
