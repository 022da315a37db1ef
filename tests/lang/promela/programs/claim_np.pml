// np_ is true where no process is at a progress label.
// acceptance: acceptance cycle, since P can loop without progress

byte x;
active proctype P() { do :: x = 1 :: x = 2; progress: x = 0 od }
never { do :: true :: np_ -> break od; accept: do :: np_ od }
