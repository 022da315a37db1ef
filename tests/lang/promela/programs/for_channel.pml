// for over a channel gives each message once, and leaves the channel as it was.
// safety: no error, since 1 + 2 is 3

typedef M { byte b }
chan c = [2] of { M };
active proctype P() { M m; byte s; m.b = 1; c!m; m.b = 2; c!m; for (m in c) { s = s + m.b }; assert(s == 3 && len(c) == 2) }
