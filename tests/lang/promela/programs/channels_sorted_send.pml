// !! puts a message before the first larger one.
// safety: no error, since 1 comes out before 2 and 3

chan c = [3] of { byte };
active proctype P() { byte x; c!!3; c!!1; c!!2; c?x; assert(x == 1); c?x; assert(x == 2); c?3 }
