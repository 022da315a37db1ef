// A label before a for loop is on the loop, behind the first assignment: SPIN does not begin to count again.
// safety: no error, since the second round ends at once

byte i, n;
active proctype P() { L: for (i : 1 .. 2) { n++ }; if :: n < 4 && i == 9 -> goto L :: else fi; assert(n == 2) }
