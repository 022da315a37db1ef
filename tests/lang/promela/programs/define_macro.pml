// The preprocessor replaces macros.
// safety: no error, since N is 3

#define N 3
#define twice(x) (2 * (x))
byte a[N];
active proctype P() { a[N - 1] = twice(N + 1); assert(a[2] == 8) }
