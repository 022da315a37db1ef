// Response: each request is answered.
// ltl: no error, since the answer follows

bool req, ack;
active proctype P() { do :: req = true; ack = true; req = false; ack = false od }
ltl p { [] (req -> <> ack) }
