// Both kinds of comments are left out.
// safety: no error, since the assertion is in a comment

byte x; /* one
  assert(false) */
active proctype P() { x = 1 // assert(false)
}
