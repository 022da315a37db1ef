// A byte wraps around in both directions.
// safety: no error, since 255 + 1 is 0

byte x = 255;
active proctype P() { x++; assert(x == 0); x--; assert(x == 255) }
