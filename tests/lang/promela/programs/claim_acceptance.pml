// A claim accepts an infinite execution that passes its accept label infinitely often.
// acceptance: acceptance cycle, since x can stay 0

byte x;
active proctype P() { do :: x = 0 :: x = 1 od }
never { do :: true :: x == 0 -> break od; accept: do :: x == 0 od }
