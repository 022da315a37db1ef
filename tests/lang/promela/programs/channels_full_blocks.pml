// A send to a full channel is blocked.
// safety: invalid end state, since there is one place

chan c = [1] of { byte };
active proctype P() { c!1; c!2 }
