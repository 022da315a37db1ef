// A sorted send looks at what is there, sorted or not.
// safety: no error, since 3 stands before 5 and stays

chan c = [3] of { byte };
active proctype P() { c!5; c!2; c!!3; c?3; c?5; c?2 }
