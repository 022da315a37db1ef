// A channel variable can refer to any channel.
// safety: no error, since both names mean one channel

chan a = [1] of { byte }; chan b;
active proctype P() { b = a; b!3; assert(len(a) == 1) }
