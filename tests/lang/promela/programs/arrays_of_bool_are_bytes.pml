// The same for bool.
// safety: no error, since a[1] keeps the 255

bool a[2];
active proctype P() { a[1] = 255; assert(a[1] == 255) }
