// A process that is never provided for does not end.
// safety: invalid end state, since P stays where it is

bool go;
active proctype P() provided (go) { skip }
