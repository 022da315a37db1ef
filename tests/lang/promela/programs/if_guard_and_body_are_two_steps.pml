// Another process can come between guard and body.
// safety: assertion and invalid end state, since Q can write in between, or before

byte x;
active proctype P() { if :: x == 0 -> assert(x == 0) fi }
active proctype Q() { x = 1 }
