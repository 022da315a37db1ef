// A d_step is interrupted at its beginning or not at all.
// safety: no error, since it runs through

byte x, y;
active proctype P() { { d_step { x = 1; x = 2; y = 1 } } unless { x == 1 -> y = 5 }; assert(y == 1) }
