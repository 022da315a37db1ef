// Elements wrap around like variables of their type.
// safety: no error, since 32768 becomes -32768

short a[2];
active proctype P() { a[1] = 32768; assert(a[1] == -32768) }
