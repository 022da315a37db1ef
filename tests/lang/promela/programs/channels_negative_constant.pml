// A constant can be negative.
// safety: no error, since -1 is -1

chan c = [1] of { short };
active proctype P() { c!-1; c?-1 }
