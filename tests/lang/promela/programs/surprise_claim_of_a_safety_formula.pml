// A violation of a formula that says what must not happen is reported as an assertion.
// ltl: assertion, since x becomes 1

byte x;
active proctype P() { x = 1 }
ltl p { [] (x == 0) }
