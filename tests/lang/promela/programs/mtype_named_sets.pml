// Named sets are numbered each by itself.
// safety: no error, since both sets begin with 1

mtype:fruit = { apple, pear }
mtype:colour = { red }
mtype:fruit f = pear;
mtype:colour c = red;
active proctype P() { assert(f == pear && c == red && f == c) }
