// The upper bound is evaluated in each round.
// safety: no error, since it grows once

byte i, n = 1, rounds;
active proctype P() { for (i : 0 .. n) { rounds++; if :: n == 1 -> n = 2 :: else fi }; assert(rounds == 3) }
