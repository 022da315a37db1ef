// Messages are compared field by field.
// safety: no error, since (1,2) is before (1,3)

chan c = [3] of { byte, byte };
active proctype P() { c!!2,0; c!!1,3; c!!1,2; c?1,2; c?1,3; c?2,0 }
