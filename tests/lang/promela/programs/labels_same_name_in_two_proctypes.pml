// Labels belong to their proctype.
// safety: no error, since each jumps to its own

byte x;
active proctype P() { goto L; assert(false); L: x++ }
active proctype Q() { goto L; assert(false); L: x++ }
