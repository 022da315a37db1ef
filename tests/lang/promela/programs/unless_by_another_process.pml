// Another process can make the escape possible at any place.
// safety: assertion, since a can be 0, 1 or 2 then

byte a; bool stop;
active proctype P() { { a = 1; a = 2; false } unless { stop }; assert(a == 2) }
active proctype Q() { stop = true }
