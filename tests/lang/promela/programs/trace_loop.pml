// A trace can have loops.
// safety: no error, since requests and replies alternate

mtype = { req, rep }
chan c = [1] of { mtype };
active proctype P() { do :: c!req; c?req; c!rep; c?rep od }
trace { do :: c!req; c?req; c!rep; c?rep od }
