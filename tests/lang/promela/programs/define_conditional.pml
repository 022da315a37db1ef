// It leaves out what is not asked for.
// safety: no error, since DEBUG is not defined

#define FAST 1
byte x;
#ifdef DEBUG
active proctype P() { assert(false) }
#else
active proctype P() { x = 1 }
#endif
#if FAST == 1
active proctype Q() { x = 2 }
#endif
#ifndef FAST
active proctype R() { assert(false) }
#endif
