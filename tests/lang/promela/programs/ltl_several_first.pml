// Of several formulas one is asked about by name.
// ltl a: no error, since x is below 2
// ltl b: assertion, since x is 1 now and then, and SPIN makes an assertion of a formula that is a safety property

byte x;
active proctype P() { do :: x = 1 - x od }
ltl a { [] (x < 2) }
ltl b { [] (x == 0) }
