// Every cycle passes the label.
// progress: no error, since the loop passes it

byte x;
active proctype P() { do :: x = 1; progress: x = 0 od }
