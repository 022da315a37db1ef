// Nor is one at a label that begins with end.
// safety: no error, since P waits at end1

chan c = [0] of { byte };
active proctype P() { byte x; end1: do :: c?x od }
active proctype Q() { c!1; c!2 }
