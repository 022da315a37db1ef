// The words local and show change nothing in a full search.
// safety: no error, since the assertion holds

local byte x; show byte y;
active proctype P() { x = 1; y = 2; assert(x + y == 3) }
