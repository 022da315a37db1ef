// Shifts are those of int, arithmetic to the right.
// safety: no error, since the sign is kept

int x = -8;
active proctype P() { assert(x >> 1 == -4 && 1 << 4 == 16) }
