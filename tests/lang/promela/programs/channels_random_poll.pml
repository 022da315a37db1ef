// A poll with ?? looks at all messages.
// safety: no error, since 4 is somewhere

chan c = [2] of { byte };
active proctype P() { c!3; c!4; c??[4]; assert(len(c) == 2) }
