// A process that is enabled infinitely often, but not always, is not helped by weak fairness.
// ltl: acceptance cycle, since L takes the token each time
// fair-ltl: acceptance cycle, since R is disabled in between; under strong fairness it holds

bool token = 1; byte x;
active proctype R() { token == 1 -> x = 1 }
active proctype L() { do :: token == 1 -> token = 0; token = 1 od }
ltl p { <> (x == 1) }
