// A receive compares the field with the whole number.
// safety: invalid end state, since 44 is not 300

chan c = [1] of { byte }; int x = 300;
active proctype P() { c!x; c?eval(x) }
