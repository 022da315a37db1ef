"""Small models in Promela, each with the numbers of states and transitions that SPIN 6.5.2 counts.

Counted with `spin -a -o1 -o2 -o3`, `-DNOREDUCE -DSAFETY -DNOCLAIM` and `pan -c0 -E`; SPIN counts the start
as a transition, which is left out here.
"""

from __future__ import annotations

from typing import NamedTuple


class SmallModel(NamedTuple):
    """A text, and what SPIN counts."""

    name: str
    text: str
    states: int
    transitions: int


MODELS = (
    SmallModel(
        "interleaving",
        """
byte x;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
active proctype B() { byte y; y = x; assert(y < 4) }
""",
        80,
        152,
    ),
    SmallModel(
        "atomic that blocks",
        """
byte x, y;
chan q = [2] of {byte};
active proctype A() { atomic { x = 1; y == 1; x = 2; if :: x = 3 :: x = 4 fi; q!x }; x = 5 }
active proctype B() { byte z; y = 1; q?z; assert(z < 5) }
""",
        20,
        28,
    ),
    SmallModel(
        "rendezvous, atomic and d_step",
        """
byte x; chan r = [0] of {byte}; mtype = {one, two};
proctype C(byte n; chan c) {
  int i = n+1; x = 3; c!i; byte late = x; do :: i > 2 -> i-- :: else -> break od; endx: skip }
active proctype D() {
  byte z; r?z; atomic { r?z; x++ };
  d_step { if :: z > 1 -> x = 7 :: else fi; x = x + z }; printf("hi %d\\n", z) }
init { atomic { run C(1, r); run C(2, r) } }
""",
        616,
        1353,
    ),
    SmallModel(
        "channels as parameters",
        """
#define N 3
mtype = {ack, nak, data};
chan q[N] = [2] of {mtype, byte};
chan req = [0] of {byte, chan};
byte total;
proctype client(byte id; chan back) {
  byte v;
  do
  :: req!id,back;
     if :: back?data(v) -> total = total + v; assert(v <= N) :: back?nak,_ -> break fi
  od
}
active proctype server() {
  byte id, n; chan to;
endserver:
  do
  :: req?id,to -> if :: n < 4 -> to!data(id); n++ :: n >= 4 -> to!nak(0) fi
  od
}
init { byte i; atomic { i = 0; do :: i < N -> run client(i, q[i]); i++ :: i == N -> break od } }
""",
        8634,
        21075,
    ),
    SmallModel(
        "processes that create processes",
        """
byte n;
proctype child(byte d) { n++; if :: d > 0 -> run child(d-1) :: else fi; n-- }
init { run child(2); (_nr_pr == 1); run child(1) }
""",
        49,
        73,
    ),
    SmallModel(
        "timeout",
        """
byte x; bool flag;
active [2] proctype P() {
  byte y;
  do :: x < 3 -> x = x+1 :: timeout -> break od;
  y = 255; y++; flag = !flag;
}
""",
        52,
        64,
    ),
    SmallModel(
        "unless",
        """
byte x; bool flag = 1;
active [2] proctype P() { byte y; out: { x = 1; x = 2; (x == 5) } unless { x == 2 && flag -> x = 3 }; y = 2 }
""",
        57,
        89,
    ),
    SmallModel(
        "sorted send and random receive",
        """
byte x; chan c = [3] of {byte, short};
active [2] proctype P() {
  byte y;
  c!!_pid,3; c!!(3-_pid),y;
  do :: c??eval(_pid),y -> x = x+1 :: c?<2,y> -> x = 7; break od
}
""",
        56,
        88,
    ),
)
