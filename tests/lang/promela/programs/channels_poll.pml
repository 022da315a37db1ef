// A poll asks whether a receive would be possible, and takes nothing.
// safety: no error, since the message stays

chan c = [1] of { byte };
active proctype P() { c!3; c?[3]; assert(len(c) == 1); c?3 }
