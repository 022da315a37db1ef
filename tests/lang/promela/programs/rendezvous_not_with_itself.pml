// A process cannot meet itself.
// safety: invalid end state, since there is one process

chan c = [0] of { byte };
active proctype S() { byte x; if :: c!3 :: c?x fi }
