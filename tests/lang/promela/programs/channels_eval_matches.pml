// So must the value of eval.
// safety: invalid end state, since y is 2

chan c = [1] of { byte }; byte y = 2;
active proctype P() { c!1; c?eval(y) }
