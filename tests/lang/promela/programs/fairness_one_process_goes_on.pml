// As soon as one process goes on forever, the terminated one is not missed.
// ltl: acceptance cycle, since Q alone can make x 2
// fair-ltl: acceptance cycle, since P may be first

byte x, y;
active proctype P() { x = 1 }
active proctype Q() { x = 2; do :: y = 1 - y od }
ltl p { <>[] (x == 1) }
