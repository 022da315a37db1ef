"""What each construct of CSP# means: its reachable graph, by the reference semantics and by the engine.

An expected graph is written as its transitions, `0 a 1, 1 b 2`, from state 0 on; τ stands for any internal
step. Graphs are compared up to the numbers of their states.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fairlead
from fairlead.model.labels import is_internal
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State

Transition = tuple[int, str, int]

GRAPHS = {
    # ------------------------------------------------ events
    "Stop": ("P() = Stop;", ""),
    "Skip terminates": ("P() = Skip;", "0 terminate 1"),
    "brackets after Skip and Stop": ("P() = Skip() [] Stop();", "0 terminate 1"),
    "prefix": ("P() = a -> b -> Stop;", "0 a 1, 1 b 2"),
    "arguments": ("P() = a.1.(2 + 3).(1 == 1).(-1) -> Stop;", "0 a.1.5.true.-1 1"),
    "arguments without brackets": ("#define N 3; P() = a.(N-1)%N.1+1 -> Stop;", "0 a.2.2 1"),
    "labels are evaluated before the step": (
        "var x = 2; P() = a.x.(x+1){x = 0;} -> b.x -> Stop;",
        "0 a.2.3 1, 1 b.0 2",
    ),
    "the same label twice is one transition": ("P() = a -> Stop [] a -> Stop;", "0 a 1"),
    "tau": ("var x; P() = tau{x = 1;} -> a.x -> Stop;", "0 τ 1, 1 a.1 2"),
    "a bare block is tau": ("var x; P() = {x = 1;} -> a.x -> Stop;", "0 τ 1, 1 a.1 2"),
    "tau without a block": ("P() = tau -> a -> Stop;", "0 τ 1, 1 a 2"),
    # ------------------------------------------------ data operations
    "statements": (
        "var x; var y; P() = a{var k = 3; while (k > 0) {x = x + k; k--;} if (x == 6) {y = 1;} else {y = 2;}}"
        " -> b.x.y -> Stop;",
        "0 a 1, 1 b.6.1 2",
    ),
    "increments and chained assignments": (
        "var x; var y; P() = a{x++; x++; y = x = x + 1; y--;} -> b.x.y -> Stop;",
        "0 a 1, 1 b.3.2 2",
    ),
    "local variables vanish": (
        "var x = 1; P() = a{var x = 5; x = 6;} -> b.x -> Stop;",
        "0 a 1, 1 b.1 2",
    ),
    "local variables of a block": (
        "var x; var y; P() = a{{var x = 5; y = x;} x = x + 1;} -> b.x.y -> Stop;",
        "0 a 1, 1 b.1.5 2",
    ),
    "local arrays": (
        "var x; P() = a{var v[3]; v[1] = 4; x = v[0] + v[1];} -> b.x -> Stop;",
        "0 a 1, 1 b.4 2",
    ),
    "fragments": (
        "var x; #define up {x = x + 1;}; #define set(v) {x = v;};"
        "P() = a{up; up} -> b.x{call(set, 7);} -> c.x -> Stop;",
        "0 a 1, 1 b.2 2, 2 c.7 3",
    ),
    # ------------------------------------------------ expressions
    "modulo is never negative": (
        "var m = -7; P() = a.((-1) % 3).(m % 3).(m % (-3)).(7 % (-3)) -> Stop;",
        "0 a.2.2.2.1 1",
    ),
    "division truncates to zero": (
        "var m = -7; P() = a.((-7) / 2).(m / 2).(7 / (-2)).(m / (-2)) -> Stop;",
        "0 a.-3.-3.-3.3 1",
    ),
    "and, or do not evaluate what does not matter": (
        "var x; P() = [x == 0 || 1 / x == 1] a -> Stop [] [x != 0 && 1 / x == 1] b -> Stop;",
        "0 a 1",
    ),
    "constants, enums, macros": (
        "enum {no, yes}; #define k 2; #define f(i, j) i * j; P() = a.yes.k.call(f, k, 3) -> Stop;",
        "0 a.1.2.6 1",
    ),
    "array initial values": (
        "#define N 1; var v = [1(2), 3..5, 7(N*2), 2..1];"
        "P() = a.v[0].v[1].v[2].v[4].v[5].v[6].v[7].v[8] -> Stop;",
        "0 a.1.1.3.5.7.7.2.1 1",
    ),
    "arrays of two dimensions": (
        "var m[2][3] = [1..6]; P() = a.m[1][0].m[0][2].m[5] -> Stop;",
        "0 a.4.3.6 1",
    ),
    "indexed conditions": (
        "var v = [0, 1]; P() = [|| i:{0..1} @ v[i] == 1] a -> Stop [] [&& i:{0..1} @ v[i] == 1] b -> Stop;",
        "0 a 1",
    ),
    # ------------------------------------------------ integers and booleans in one variable
    "a variable that holds both": (
        "var b = false; P() = a.b{b = 1;} -> a.b{b = b + 1;} -> a.b{b = b == 2;} -> a.b -> Stop;",
        "0 a.false 1, 1 a.1 2, 2 a.2 3, 3 a.true 4",
    ),
    "an array that holds both": (
        "var k = [0, 5]; P() = a{k[0] = true;} -> ([k[0] == true && k[1] != true] b.k[0].k[1] -> Stop"
        " [] [k[1] == true || k[0] == 1] c -> Stop);",
        "0 a 1, 1 b.true.5 2",
    ),
    "both travel, and are parameters": (
        "channel c 2; P() = c!1 -> c!true -> c?x -> c?y -> Q(x, y);"
        " Q(i, j) = [j && i == 1] e.i.j -> Q(i + 1, j) [] [i == 2] f -> Stop;",
        "0 c!1 1, 1 c!true 2, 2 c?1 3, 3 c?true 4, 4 e.1.true 5, 5 f 6",
    ),
    "an integer is never a boolean": (
        "var x = 1; P() = [x == true] a -> Stop [] [x != true] b -> Stop;",
        "0 b 1",
    ),
    "a look at the first message": (
        "channel c 2; var v; P() = c!1 -> c!2 -> e.call(cpeek, c){v = call(cpeek, c);} -> f.(v + 1) -> Stop;",
        "0 c!1 1, 1 c!2 2, 2 e.1 3, 3 f.2 4",
    ),
    "a look at a message of several fields": (
        "channel c 2; var v[2]; P() = c!1.5 -> e{v = call(cpeek, c);} -> f.v[0].v[1] -> Stop;",
        "0 c!1.5 1, 1 e 2, 2 f.1.5 3",
    ),
    "a look at a boolean, and at an array": (
        "channel b 1; channel d 1; var v = [4]; var w[1];"
        " P() = b!true -> d!v -> [call(cpeek, b)] e{w = call(cpeek, d);} -> f.w[0] -> Stop;",
        "0 b!true 1, 1 d![4] 2, 2 e 3, 3 f.4 4",
    ),
    "a look at one channel of several": (
        "channel c[2] 1; P() = c[1]!8 -> [call(cpeek, c[1]) == 8] e -> Stop;",
        "0 c[1]!8 1, 1 e 2",
    ),
    "arrays travel": (
        "channel c 1; var v = [4]; P() = c!v{v[0] = 5;} -> c?x -> e.x[0].x.v -> Stop;",
        "0 c![4] 1, 1 c?[4] 2, 2 e.4.[4].[5] 3",
    ),
    "imports that are not needed do not matter": ('#import "Own.Lib"; P() = a -> Stop;', "0 a 1"),
    "objects travel": (
        "channel c 0; var<List> l; P() = a{l.Add(3);} -> c!l -> Stop ||| c?x -> e.x.(x.Count()) -> Stop;",
        "0 a 1, 1 c.[3] 2, 2 e.[3].1 3",
    ),
    # ------------------------------------------------ hidden variables
    "a hidden variable that decides nothing": (
        "hvar n; var x; hvar m; P() = a{x = 1 - x; n++; if (x == 1) {m = n;}} -> P();",
        "0 a 1, 1 a 0",
    ),
    "a hidden variable that decides": (
        "hvar n; hvar m; P() = [n < 2] a{m++; n = m;} -> P();",
        "0 a 1, 1 a 2",
    ),
    # ------------------------------------------------ choice
    "choice": ("P() = a -> Stop [] b -> c -> Stop;", "0 a 1, 0 b 2, 2 c 1"),
    "tau decides a choice": ("P() = tau -> a -> Stop [] b -> Stop;", "0 τ 1, 0 b 2, 1 a 2"),
    "if decides a choice": (
        "var x; P() = if (x == 0) {a -> Stop} else {Stop} [] b -> Stop;",
        "0 τ 1, 0 b 2, 1 a 2",
    ),
    "indexed choice": ("P() = [] i:{0..2} @ a.i -> Stop;", "0 a.0 1, 0 a.1 1, 0 a.2 1"),
    "listed index values": ("P() = [] i:{4, 0+2} @ a.i -> Stop;", "0 a.4 1, 0 a.2 1"),
    "two indices": (
        "P() = [] i:{0..1}; j:{1..2} @ a.i.j -> Stop;",
        "0 a.0.1 1, 0 a.0.2 1, 0 a.1.1 1, 0 a.1.2 1",
    ),
    "parameters bound an index": ("P() = Q(1); Q(n) = [] i:{0..n} @ a.i -> Stop;", "0 a.0 1, 0 a.1 1"),
    "an index that is not needed any more": (
        "P() = [] i:{0..1} @ a.i -> b -> Stop;",
        "0 a.0 1, 0 a.1 1, 1 b 2",
    ),
    "an index hides a variable": ("var i = 7; P() = [] i:{1..1} @ a.i -> Stop;", "0 a.1 1"),
    "choice over a composition": (
        "P() = (a -> Stop ||| b -> Stop) [] c -> Stop;",
        "0 a 1, 0 b 2, 0 c 3, 1 b 4, 2 a 4",
    ),
    # ------------------------------------------------ conditions
    "a guard waits": (
        "var x; P() = [x == 1] a -> Stop [] b{x = 1;} -> P();",
        "0 b 1, 1 a 2, 1 b 1",
    ),
    "a guard costs no step": ("var x; P() = [x == 0] [x < 5] a -> Stop;", "0 a 1"),
    "a guard is for the first step only": (
        "var x; P() = [x == 0] a{x = 1;} -> b -> Stop;",
        "0 a 1, 1 b 2",
    ),
    "a guard binds one branch": ("var x; P() = [x == 1] a -> Stop [] b -> Stop;", "0 b 1"),
    "a guarded Skip": ("var x; P() = [x == 0] Skip;", "0 terminate 1"),
    "a guard on a composition": (
        "var x; P() = [x == 0] (a{x = 1;} -> Stop ||| b -> Stop);",
        "0 a 1, 0 b 2, 1 b 3, 2 a 3",
    ),
    "a false guard on a composition": ("var x; P() = [x == 1] (a -> Stop ||| b -> Stop);", ""),
    "if costs a step": ("var x; P() = if (x == 0) {a -> Stop} else {b -> Stop};", "0 τ 1, 1 a 2"),
    "else if": (
        "var x; P() = if (x == 1) {a -> Stop} else if (x == 0) {b -> Stop} else {c -> Stop};",
        "0 τ 1, 1 τ 2, 2 b 3",
    ),
    "a missing else is Skip": ("var x; P() = if (x == 1) {a -> Stop};", "0 τ 1, 1 terminate 2"),
    "a missing else before more": ("var x; P() = if (x == 1) {a -> Stop}; b -> Stop;", "0 τ 1, 1 b 2"),
    "if is decided by its own step": (
        "var x; P() = if (x == 0) {a -> Stop} else {b -> Stop} ||| c{x = 1;} -> Stop;",
        "0 τ 1, 0 c 2, 1 a 3, 1 c 4, 2 τ 5, 3 c 6, 4 a 6, 5 b 6",
    ),
    "ifa costs none": ("var x; P() = ifa (x == 0) {a -> Stop} else {b -> Stop};", "0 a 1"),
    "ifa is decided by the first event": (
        "var x; P() = ifa (x == 0) {a -> Stop} else {b -> Stop} ||| c{x = 1;} -> Stop;",
        "0 a 1, 0 c 2, 1 c 3, 2 b 3",
    ),
    "ifa over a composition": (
        "var x; P() = ifa (x == 1) {a -> Stop} else {b{x = 1;} -> Stop ||| c -> Stop};",
        "0 b 1, 0 c 2, 1 c 3, 2 b 3",
    ),
    "case takes the first that is true": (
        "var x; P() = case {x == 1 : a -> Stop x == 0 : b -> Stop x < 5 : c -> Stop default : d -> Stop};",
        "0 τ 1, 1 b 2",
    ),
    "case by default": (
        "var x; P() = case {x == 1 : a -> Stop default : d -> Stop};",
        "0 τ 1, 1 d 2",
    ),
    "case without a true branch": ("var x; P() = case {x == 1 : a -> Stop};", "0 τ 1, 1 terminate 2"),
    # ------------------------------------------------ sequences
    "the end of a sequence is no step after Skip": (
        "P() = a -> Skip; b -> Skip; Q() = c -> Stop;",
        "0 a 1, 1 b 2, 2 terminate 3",
    ),
    "Skip; P is P": ("P() = Skip; Skip; a -> Stop;", "0 a 1"),
    "Skip in a choice ends by a step": (
        "P() = (Skip [] a -> Skip); b -> Stop;",
        "0 τ 1, 0 a 1, 1 b 2",
    ),
    "Stop never ends": ("P() = a -> Stop; b -> Stop;", "0 a 1"),
    "sequences in sequences": (
        "P() = (a -> Skip; b -> Skip); (c -> Skip; d -> Stop);",
        "0 a 1, 1 b 2, 2 c 3, 3 d 4",
    ),
    "sequence binds tighter than choice": (
        "P() = a -> Skip; b -> Stop [] c -> Stop;",
        "0 a 1, 0 c 2, 1 b 2",
    ),
    "a choice before more": (
        "P() = (a -> Skip [] b -> Stop); c -> Stop;",
        "0 a 1, 0 b 2, 1 c 2",
    ),
    "recursion after a sequence": ("P() = a -> Skip; P();", "0 a 0"),
    "sequence after a composition": (
        "P() = (a -> Skip ||| b -> Skip); c -> Stop;",
        "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 τ 4, 4 c 5",
    ),
    "recursion after a composition": (
        "P() = (a -> Skip ||| b -> Skip); P();",
        "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 τ 0",
    ),
    # ------------------------------------------------ calls
    "parameters cycle": ("P() = Q(0); Q(i) = a.i -> Q((i + 1) % 2);", "0 a.0 1, 1 a.1 0"),
    "parameters shrink": (
        "P() = Q(2); Q(n) = [n > 0] a.n -> Q(n - 1) [] [n == 0] b -> Stop;",
        "0 a.2 1, 1 a.1 2, 2 b 3",
    ),
    "mutual recursion": ("P() = a -> Q(); Q() = b -> P();", "0 a 1, 1 b 0"),
    "boolean parameters": (
        "P() = Q(true); Q(b) = [b] a.b -> Q(!b) [] [!b] c.b -> Stop;",
        "0 a.true 1, 1 c.false 2",
    ),
    "arguments are read at the first step": (
        "var x; P() = Q(x) ||| c{x = 1;} -> Stop; Q(i) = a.i -> Stop;",
        "0 a.0 1, 0 c 2, 1 c 3, 2 a.1 3",
    ),
    "after it they stay": (
        "var x; P() = Q(x); Q(i) = a.i{x = x + 1;} -> b.i -> c.x -> Stop;",
        "0 a.0 1, 1 b.0 2, 2 c.1 3",
    ),
    "within the data operation of the first step too": (
        "var x; var y; P() = Q(x); Q(i) = a{x = x + 1; y = i;} -> b.y -> Stop;",
        "0 a 1, 1 b.0 2",
    ),
    # ------------------------------------------------ interleaving
    "interleaving": ("P() = a -> Stop ||| b -> Stop;", "0 a 1, 0 b 2, 1 b 3, 2 a 3"),
    "interleaved events do not synchronise": ("P() = a -> Stop ||| a -> Stop;", "0 a 1, 0 a 2, 1 a 3, 2 a 3"),
    "indexed interleaving": ("P() = ||| i:{0..1} @ (a.i -> Stop);", "0 a.0 1, 0 a.1 2, 1 a.1 3, 2 a.0 3"),
    "copies": ("P() = ||| {2} @ (a -> Stop);", "0 a 1, 0 a 2, 1 a 3, 2 a 3"),
    "one component": ("P() = ||| i:{3..3} @ (a.i -> Skip);", "0 a.3 1, 1 terminate 2"),
    "termination is joint": ("P() = a -> Skip ||| Skip;", "0 a 1, 1 terminate 2"),
    "termination waits for all": ("P() = a -> Stop ||| Skip;", "0 a 1"),
    "joint termination of three": ("P() = Skip ||| (Skip ||| Skip);", "0 terminate 1"),
    "inner compositions end alone": (
        "P() = ((Skip ||| Skip); a -> Skip) ||| b -> Skip;",
        "0 τ 1, 0 b 2, 1 a 3, 1 b 4, 2 τ 4, 3 b 5, 4 a 5, 5 terminate 6",
    ),
    "a composition after an event": (
        "P() = a -> (b -> Skip ||| c -> Skip);",
        "0 a 1, 1 b 2, 1 c 3, 2 c 4, 3 b 4, 4 terminate 5",
    ),
    # ------------------------------------------------ synchronisation
    "shared events are taken together": (
        "P() = (a -> b -> Stop) || (a -> c -> Stop);",
        "0 a 1, 1 b 2, 1 c 3, 2 c 4, 3 b 4",
    ),
    "a shared event waits for its partner": ("P() = a -> b -> Stop || b -> a -> Stop;", ""),
    "three partners": ("P() = a -> Stop || a -> Stop || b -> a -> Stop;", "0 b 1, 1 a 2"),
    "nested synchronisation": ("P() = (a -> Stop || b -> Stop) || (a -> b -> Stop);", "0 a 1, 1 b 2"),
    "arguments are part of the event": (
        "P() = a.0 -> Stop || a.1 -> Stop;",
        "0 a.0 1, 0 a.1 2, 1 a.1 3, 2 a.0 3",
    ),
    "each way to take part counts": (
        "P() = (a -> b -> Stop [] a -> c -> Stop) || a -> Stop;",
        "0 a 1, 0 a 2, 1 b 3, 2 c 3",
    ),
    "data operations never synchronise": (
        "var x; P() = a{x = 1;} -> Stop || a -> Stop;",
        "0 a 1, 0 a 2, 1 a 3, 2 a 3",
    ),
    "an empty block is a data operation": (
        "P() = a{} -> Stop || a -> Stop;",
        "0 a 1, 0 a 2, 1 a 3, 2 a 3",
    ),
    "tau does not synchronise": ("P() = tau -> Stop || tau -> Stop;", "0 τ 1, 0 τ 2, 1 τ 3, 2 τ 3"),
    "a declared alphabet blocks": (
        "P() = Q() || R(); Q() = a -> Stop; R() = b -> Stop; #alphabet Q {a, b};",
        "0 a 1",
    ),
    "a declared alphabet frees": (
        "P() = Q() || R(); Q() = a -> Stop; R() = a -> Stop; #alphabet Q {c};",
        "0 a 1, 0 a 2, 1 a 3, 2 a 3",
    ),
    "a declared alphabet with indices and parameters": (
        "P() = Q(1) || R(); Q(n) = c -> Stop; R() = b.0 -> Stop [] b.1 -> Stop [] d.1 -> Stop [] d.2 -> Stop;"
        " #alphabet Q {i:{0..n} @ b.i, d.n};",
        "0 c 1, 0 d.2 2, 1 d.2 3, 2 c 3",
    ),
    "the alphabet includes what comes later": (
        "P() = Q() || b -> a -> Stop; Q() = a -> R(1); R(i) = b.i -> b -> Stop;",
        "",
    ),
    "an interleaving inside a synchronisation": (
        "P() = (a -> Stop ||| a -> Stop) || a -> a -> Stop;",
        "0 a 1, 0 a 2, 1 a 3, 2 a 3",
    ),
    "synchronised components end together": (
        "P() = (a -> Skip || a -> Skip); b -> Stop;",
        "0 a 1, 1 τ 2, 2 b 3",
    ),
    # ------------------------------------------------ buffered channels
    "a buffer": (
        "channel c 2; P() = c!1 -> c!2 -> Stop ||| c?x -> got.x -> Stop;",
        "0 c!1 1, 1 c!2 2, 1 c?1 3, 2 c?1 4, 3 c!2 4, 3 got.1 5, 4 got.1 6, 5 c!2 6",
    ),
    "a full buffer waits": ("channel c 1; P() = c!1 -> c!2 -> c!3 -> Stop;", "0 c!1 1"),
    "an empty buffer waits": ("channel c 1; P() = c?x -> Stop;", ""),
    "first in, first out": (
        "channel c 3; P() = c!1 -> c!2 -> c?x -> c!3 -> c?y -> c?z -> e.x.y.z -> Stop;",
        "0 c!1 1, 1 c!2 2, 2 c?1 3, 3 c!3 4, 4 c?2 5, 5 c?3 6, 6 e.1.2.3 7",
    ),
    "messages of several values": (
        "channel c 1; P() = c!1.(2 == 2).(-3) -> c?x.b.y -> e.y.b.x -> Stop;",
        "0 c!1.true.-3 1, 1 c?1.true.-3 2, 2 e.-3.true.1 3",
    ),
    "constants must match": (
        "channel c 1; P() = c!1.2 -> (c?1.x -> a.x -> Stop [] c?2.x -> b.x -> Stop [] c?x.2 -> d.x -> Stop);",
        "0 c!1.2 1, 1 c?1.2 2, 2 a.2 3, 1 c?1.2 4, 4 d.1 3",
    ),
    "names in scope must match": (
        "#define K 7; channel c 1; var g = 7; P() = Q(7);"
        " Q(p) = c!7 -> (c?p -> a -> Stop [] c?K -> b -> Stop [] c?g -> d -> Stop [] c?n -> e.n -> Stop);",
        "0 c!7 1, 1 c?7 2, 2 a 3, 1 c?7 4, 4 b 3, 1 c?7 5, 5 d 3, 1 c?7 6, 6 e.7 3",
    ),
    "a received name must match when it comes again": (
        "channel c 2; P() = c!1 -> c!2 -> c?x -> c?x -> Stop;",
        "0 c!1 1, 1 c!2 2, 2 c?1 3",
    ),
    "the same new name twice in a message": (
        "channel c 1; P() = Q(1) [] Q(2); Q(p) = s -> c!1.p -> c?x.x -> a -> Stop;",
        "0 s 1, 0 s 2, 1 c!1.1 3, 3 c?1.1 4, 4 a 5, 2 c!1.2 6",
    ),
    "the number of fields must match": (
        "channel c 2; P() = c!1 -> c!2.3 -> (c?x.y -> a -> Stop [] c?x -> c?y.z -> e.x.y.z -> Stop);",
        "0 c!1 1, 1 c!2.3 2, 2 c?1 3, 3 c?2.3 4, 4 e.1.2.3 5",
    ),
    "a guarded input": (
        "channel c 2; P() = c!1 -> (c?[x > 1]x -> a -> Stop [] c?[x == 1]x -> b -> Stop);",
        "0 c!1 1, 1 c?1 2, 2 b 3",
    ),
    "a guard over the message and more": (
        "channel c 1; var g = 3;"
        " P() = c!1.2 -> (c?[x + y == g]x.y -> a -> Stop [] c?[x > g]x.y -> b -> Stop);",
        "0 c!1.2 1, 1 c?1.2 2, 2 a 3",
    ),
    "programs of channels": (
        "channel c 1; var g; P() = c!g{g = 5;} -> c?x{g = x + 1;} -> e.g.x -> Stop;",
        "0 c!0 1, 1 c?0 2, 2 e.1.0 3",
    ),
    "a program sees the message after it was taken": (
        "channel c 2; var g; P() = c!1 -> c!2 -> c?x{g = x * 10 + call(ccount, c);} -> e.g -> Stop;",
        "0 c!1 1, 1 c!2 2, 2 c?1 3, 3 e.11 4",
    ),
    "channel functions": (
        "channel c 2; P() = [call(cempty, c)] c!1 -> Q(); Q() = [!call(cempty, c) && !call(cfull, c)]"
        " c!1 -> [call(cfull, c)] e.call(ccount, c).call(csize, c) -> Stop;",
        "0 c!1 1, 1 c!1 2, 2 e.2.2 3",
    ),
    "arrays of channels": (
        "channel c[2] 1; var i = 1; P() = c[i]!7 -> c[0]!8 -> c[i]?x -> c[1-i]?y -> e.x.y -> Stop;",
        "0 c[1]!7 1, 1 c[0]!8 2, 2 c[1]?7 3, 3 c[0]?8 4, 4 e.7.8 5",
    ),
    "functions of arrays of channels": (
        "channel c[2] 1; var i = 1; P() = c[i]!7 -> [call(cempty, c[0]) && call(cfull, c[i])] a -> Stop;",
        "0 c[1]!7 1, 1 a 2",
    ),
    "a process called with what was received": (
        "channel c 1; P() = c!1 -> c?x -> Q(x); Q(i) = e.i -> Q(1 - i);",
        "0 c!1 1, 1 c?1 2, 2 e.1 3, 3 e.0 2",
    ),
    "booleans travel": (
        "channel c 1; P() = Q(true); Q(b) = c!b -> c?x -> ifa (x) {a -> Stop} else {b -> Stop};",
        "0 c!true 1, 1 c?true 2, 2 a 3",
    ),
    "booleans travel twice": (
        "channel c 1; channel d 1;"
        " P() = c?x -> d!x -> Stop ||| d?y -> ([y] a.y -> Stop) ||| c!(1 > 2) -> Stop;",
        "0 c!false 1, 1 c?false 2, 2 d!false 3, 3 d?false 4",
    ),
    "channel events do not synchronise": (
        "channel c 1; P() = c!1 -> Stop || c!1 -> Stop || c?x -> c?x -> Stop;",
        "0 c!1 1, 0 c!1 2, 1 c?1 3, 2 c?1 4, 3 c!1 5, 4 c!1 5, 5 c?1 6",
    ),
    # ------------------------------------------------ handshakes
    "a handshake": (
        "channel c 0; P() = c!1.2 -> a -> Stop ||| c?x.y -> b.y -> Stop;",
        "0 c.1.2 1, 1 a 2, 1 b.2 3, 2 b.2 4, 3 a 4",
    ),
    "half a handshake is no step": ("channel c 0; P() = c!1 -> Stop [] c?x -> Stop [] a -> Stop;", "0 a 1"),
    "no process shakes hands with himself": (
        "channel c 0; P() = (c!1 -> Stop [] c?x -> Stop) ||| a -> Stop;",
        "0 a 1",
    ),
    "each pair counts": (
        "channel c 0; P() = c!1 -> Stop ||| c!2 -> Stop ||| c?x -> e.x -> Stop;",
        "0 c.1 1, 0 c.2 2, 1 e.1 3, 2 e.2 4",
    ),
    "handshakes match constants and guards": (
        "channel c 0; P() = (c!1.2 -> Stop [] c!3.4 -> Stop)"
        " ||| (c?3.x -> e.x -> Stop [] c?[x > 1]x.2 -> f.x -> Stop);",
        "0 c.3.4 1, 1 e.4 2",
    ),
    "the sender's program runs first": (
        "channel c 0; var g; P() = c!5{g = g + 1;} -> Stop ||| c?x{g = g * 10 + x;} -> e.g -> Stop;",
        "0 c.5 1, 1 e.15 2",
    ),
    "a handshake through other operators": (
        "channel c 0; P() = ((c!1 -> Skip); a -> Stop) ||| (([true] c?x -> e.x -> Stop) [] b -> Stop);",
        "0 b 1, 0 c.1 2, 2 a 3, 2 e.1 4, 3 e.1 5, 4 a 5",
    ),
    "a handshake between nested compositions": (
        "channel c 0; P() = (c!1 -> Skip ||| a -> Skip); Stop ||| ((c?x -> e.x -> Skip || Skip); Stop);",
        "0 a 1, 0 c.1 2, 1 c.1 3, 2 a 3, 2 e.1 4, 3 e.1 5, 4 a 5, 3 τ 6, 5 τ 7, 6 e.1 7,"
        " 4 τ 8, 5 τ 9, 7 τ 10, 8 a 9, 9 τ 10",
    ),
    "handshakes in a synchronised composition": (
        "channel c 0; P() = c!1 -> a -> Stop || c?x -> a -> Stop;",
        "0 c.1 1, 1 a 2",
    ),
    "an array of handshakes": (
        "channel c[2] 0; var i = 1; P() = c[i]!4 -> Stop ||| c[0]?x -> Stop ||| c[1]?x -> e.x -> Stop;",
        "0 c[1].4 1, 1 e.4 2",
    ),
    "a received parameter": (
        "channel c 0; P() = c!1 -> c!2 -> Stop ||| R(0); R(s) = c?x -> R(s + x) [] [s == 3] done -> Stop;",
        "0 c.1 1, 1 c.2 2, 2 done 3",
    ),
    # ------------------------------------------------ internal and external choice
    "internal choice": ("P() = a -> Stop <> b -> Stop;", "0 τ 1, 0 τ 2, 1 a 3, 2 b 3"),
    "indexed internal choice": ("P() = <> i:{1..2} @ a.i -> Stop;", "0 τ 1, 0 τ 2, 1 a.1 3, 2 a.2 3"),
    "internal choice of compositions": (
        "P() = (a -> Stop ||| Skip) <> b -> Stop;",
        "0 τ 1, 0 τ 2, 1 a 3, 2 b 4",
    ),
    "internal choice binds tighter than general": (
        "P() = a -> Stop <> b -> Stop [] c -> Stop;",
        "0 τ 1, 0 τ 2, 0 c 3, 1 a 3, 2 b 3",
    ),
    "external choice by events": ("P() = a -> Stop [*] b -> c -> Stop;", "0 a 1, 0 b 2, 2 c 1"),
    "external choice stays open": ("P() = (tau -> a -> Stop) [*] b -> Stop;", "0 τ 1, 0 b 2, 1 a 2, 1 b 2"),
    "external choice of two that move inside": (
        "P() = (tau -> a -> Stop) [*] (tau -> b -> Stop);",
        "0 τ 1, 0 τ 2, 1 a 3, 1 τ 4, 2 b 3, 2 τ 4, 4 a 3, 4 b 3",
    ),
    "external choice and an if": (
        "var x; P() = if (x == 0) {a -> Stop} else {Stop} [*] (b -> Stop);",
        "0 τ 1, 0 b 2, 1 a 2, 1 b 2",
    ),
    "external choice ends": (
        "P() = (tau -> Skip) [*] b -> Skip;",
        "0 τ 1, 0 b 2, 1 terminate 3, 1 b 2, 2 terminate 3",
    ),
    "external choice of compositions": (
        "P() = (tau -> a -> Stop ||| b -> Stop) [*] c -> Stop;",
        "0 τ 1, 0 b 2, 0 c 3, 1 a 4, 1 b 5, 1 c 3, 2 τ 5, 5 a 6, 4 b 6",
    ),
    "indexed external choice": (
        "P() = [*] i:{0..1} @ (tau -> a.i -> Stop);",
        "0 τ 1, 0 τ 2, 1 a.0 3, 1 τ 4, 2 a.1 3, 2 τ 4, 4 a.0 3, 4 a.1 3",
    ),
    "a handshake decides an external choice": (
        "channel c 0; P() = ((tau -> c!1 -> Stop) [*] a -> Stop) ||| c?x -> Stop;",
        "0 τ 1, 0 a 2, 1 a 2, 1 c.1 3",
    ),
    "a hidden event leaves the choice around it open": (
        "P() = ((a -> b -> Stop) \\ {a}) [*] c -> Stop;",
        "0 τ 1, 0 c 2, 1 b 2, 1 c 2",
    ),
    "an event hidden outside decides the choice": (
        "P() = ((tau -> b -> Stop) [*] a -> c -> Stop) \\ {a};",
        "0 τ 1, 0 τ 2, 1 b 3, 1 τ 2, 2 c 3",
    ),
    # ------------------------------------------------ interrupt
    "interrupt": ("P() = (a -> b -> Stop) interrupt (i -> Stop);", "0 a 1, 0 i 2, 1 b 3, 1 i 2, 3 i 2"),
    "an interrupted process that ends": (
        "P() = (a -> Skip) interrupt (i -> Stop);",
        "0 a 1, 0 i 2, 1 terminate 3, 1 i 2",
    ),
    "an internal step does not interrupt": (
        "P() = (a -> Stop) interrupt (tau -> i -> Stop);",
        "0 a 1, 0 τ 2, 1 τ 3, 2 a 3, 2 i 4, 3 i 4",
    ),
    "a handler may continue": (
        "P() = Q() interrupt (i -> b -> P()); Q() = a -> c -> Q();",
        "0 a 1, 0 i 2, 1 c 0, 1 i 2, 2 b 0",
    ),
    "several handlers": (
        "P() = (a -> Stop) interrupt (i -> Stop) interrupt (j -> Stop);",
        "0 a 1, 0 i 2, 0 j 3, 1 i 2, 1 j 3, 2 j 3",
    ),
    "interrupt before more": (
        "P() = ((a -> Skip) interrupt (i -> Skip)); b -> Stop;",
        "0 a 1, 0 i 2, 1 τ 2, 1 i 2, 2 b 3",
    ),
    "interrupt of a composition": (
        "P() = (a -> Skip ||| b -> Skip) interrupt (i -> Stop);",
        "0 a 1, 0 b 2, 0 i 3, 1 b 4, 1 i 3, 2 a 4, 2 i 3, 4 terminate 5, 4 i 3",
    ),
    "a handler that ends ends it all": (
        "P() = (a -> Stop) interrupt Skip;",
        "0 a 1, 0 terminate 2, 1 terminate 2",
    ),
    # ------------------------------------------------ hiding
    "hiding": ("P() = (a -> b -> Stop) \\ {a};", "0 τ 1, 1 b 2"),
    "hiding with arguments and indices": (
        "P() = (a.0 -> a.1 -> a.2 -> b.1 -> Stop) \\ {i:{0..1} @ a.i, b.1};",
        "0 τ 1, 1 τ 2, 2 a.2 3, 3 τ 4",
    ),
    "hiding with parameters": ("P() = Q(1); Q(n) = (a.0 -> a.1 -> Stop) \\ {a.n};", "0 a.0 1, 1 τ 2"),
    "hiding does not touch what comes after": ("P() = ((a -> Skip) \\ {a}); a -> Stop;", "0 τ 1, 1 a 2"),
    "hiding a sequence": ("P() = a -> Skip; a -> Stop \\ {a};", "0 τ 1, 1 τ 2"),
    "hidden events do not synchronise": (
        "P() = ((a -> Stop) \\ {a}) || a -> Stop;",
        "0 τ 1, 0 a 2, 1 a 3, 2 τ 3",
    ),
    "hiding what was synchronised": ("P() = (a -> b -> Stop || a -> Stop) \\ {a};", "0 τ 1, 1 b 2"),
    "hiding data operations": ("var x; P() = (a{x = 1;} -> e.x -> Stop) \\ {a};", "0 τ 1, 1 e.1 2"),
    "hiding a handshake": (
        "channel c 0; P() = (c!1 -> Stop ||| c?x -> e.x -> Stop) \\ {c.1};",
        "0 τ 1, 1 e.1 2",
    ),
    "a handshake with what is hidden further in": (
        "channel c 0; P() = ((c!1 -> Stop) \\ {c.1}) ||| c?x -> e.x -> Stop;",
        "0 c.1 1, 1 e.1 2",
    ),
    "hiding and atomic around recursion": (
        "P() = Q() ||| d -> Stop; Q() = atomic{(a -> atomic{(c -> b -> Q()) \\ {c}}) \\ {a}};",
        "0 τ 1, 1 τ 2, 2 b 3, 3 τ 1",
    ),
    "hiding around recursion": ("P() = (a -> b -> P()) \\ {a};", "0 τ 1, 1 b 0"),
    "terminate cannot be hidden": ("P() = (a -> Skip) \\ {a, b};", "0 τ 1, 1 terminate 2"),
    # ------------------------------------------------ atomic
    "atomic goes first": (
        "P() = atomic{a -> b -> Skip} ||| c -> Skip;",
        "0 a 1, 1 b 2, 2 c 3, 3 terminate 4",
    ),
    "atomic parts interleave": (
        "P() = atomic{a -> Skip} ||| atomic{b -> Skip} ||| c -> Skip;",
        "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 c 4, 4 terminate 5",
    ),
    "a blocked atomic part lets others run": (
        "var x; P() = atomic{a -> [x == 1] b -> Skip} ||| c{x = 1;} -> d -> Skip;",
        "0 a 1, 1 c 2, 2 b 3, 3 d 4, 4 terminate 5",
    ),
    "atomic ends": (
        "P() = (atomic{a -> Skip}; b -> Skip) ||| c -> Skip;",
        "0 a 1, 1 b 2, 1 c 3, 2 c 4, 3 b 4, 4 terminate 5",
    ),
    "atomic in a choice": (
        "P() = (atomic{a -> b -> Skip} [] c -> Skip) ||| d -> Skip;",
        "0 a 1, 1 b 2, 2 d 3, 3 terminate 4",
    ),
    "atomic and synchronisation": (
        "P() = atomic{a -> b -> Stop} || (c -> Stop ||| a -> Stop);",
        "0 a 1, 1 b 2, 2 c 3",
    ),
    "atomic waits for a partner": (
        "P() = atomic{a -> Stop} || d -> a -> Stop || c -> Stop;",
        "0 d 1, 0 c 2, 1 a 3, 2 d 4, 4 a 5, 3 c 5",
    ),
    "atomic handshakes": (
        "channel c 0; P() = atomic{c!1 -> Stop} ||| c?x -> e.x -> Stop ||| a -> Stop;",
        "0 c.1 1, 1 e.1 2, 1 a 3, 2 a 4, 3 e.1 4",
    ),
    "atomic in atomic": (
        "P() = atomic{a -> atomic{b -> Skip}} ||| c -> Skip;",
        "0 a 1, 1 b 2, 2 c 3, 3 terminate 4",
    ),
    "atomic compositions": (
        "P() = atomic{a -> Skip ||| b -> Skip} ||| c -> Skip;",
        "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 c 4, 4 terminate 5",
    ),
    # ------------------------------------------------ the rest
    "ifb waits and costs a step": (
        "var x; P() = ifb (x == 1) {a -> Stop} ||| b{x = 1;} -> Stop;",
        "0 b 1, 1 τ 2, 2 a 3",
    ),
    "an assertion that is true ends": ("var x; P() = assert(x == 0); a -> Stop;", "0 τ 1, 1 a 2"),
    "an assertion in a program": ("var x; P() = a{x++; assert(x == 1)} -> b.x -> Stop;", "0 a 1, 1 b.1 2"),
    "an assertion alone": ("P() = assert(1 == 1);", "0 terminate 1"),
    "unknown arguments do no harm if the name is not shared": (
        "channel c 1; P() = (c!1 -> b -> Stop) || (c?x -> e.x -> b -> Stop);",
        "0 c!1 1, 1 c?1 2, 2 e.1 3, 3 b 4",
    ),
    "a process that counts has an alphabet": (
        "P() = Q(0) || b -> Stop; Q(n) = [n < 2] a -> Q(n + 1) [] [n == 2] b -> Stop;",
        "0 a 1, 1 a 2, 2 b 3",
    ),
    "several index ranges": (
        "P() = ||| i:{0..1}; j:{2, 3} @ ([i == 1 && j == 3] a.i.j -> Stop);",
        "0 a.1.3 1",
    ),
    # ------------------------------------------------ initial values
    "wild initial values": (
        "var x:{1..2} = *; P() = a.x -> Stop;",
        "0 τ 1, 0 τ 2, 1 a.1 3, 2 a.2 4",
    ),
    "a range without zero": ("var x:{3..5}; P() = a.x -> Stop;", "0 a.3 1"),
}


# ---------------------------------------------------------------- exploring and comparing


def reference_graph(model: fairlead.Model) -> list[Transition]:
    """Explored by the reference semantics; several initial states get a common one before them."""
    network = model._loaded.system("P()")
    assert isinstance(network, Network)
    system = NetworkSystem(network)
    initial = system.initial_states()
    found: list[Transition] = []
    numbers: dict[State, int] = {}

    def number(state: State) -> int:
        return numbers.setdefault(state, len(numbers))

    if len(initial) > 1:
        number(None)
        found += [(0, "τ", number(state)) for state in initial]
    queue: list[State] = list(initial)
    number(initial[0])
    done: set[State] = set()
    for state in queue:
        if state not in done:
            done.add(state)
            steps = system.steps(state)
            found += [(number(state), shown(step.event), number(step.target)) for step in steps]
            queue += [step.target for step in steps]
    return found


def engine_graph(model: fairlead.Model) -> list[Transition]:
    graph = model.graph("P()")
    order = {graph.initial: 0}
    found: list[Transition] = []
    queue = [graph.initial]
    for state in queue:
        for step in graph.steps(state):
            if step.target not in order:
                order[step.target] = len(order)
                queue.append(step.target)
            found.append((order[state], shown(step.event), order[step.target]))
    return found


def shown(event: str) -> str:
    return "τ" if is_internal(event) else event


def parse_transitions(text: str) -> list[Transition]:
    found = []
    for part in filter(None, text.split(", ")):
        source, event, target = part.split(" ")
        found.append((int(source), event, int(target)))
    return found


def isomorphic(left: list[Transition], right: list[Transition]) -> bool:
    """Whether the graphs differ at most in the numbers of their states (initial: 0)."""
    if len(left) != len(right):
        return False
    wanted = set(right)

    def extend(rest: list[Transition], mapping: dict[int, int]) -> bool:
        if not rest:
            return len(set(mapping.values())) == len(mapping)
        # in breadth-first order the source of the next transition has been met
        (source, event, target), *others = rest
        for image_source, image_event, image_target in wanted:
            if image_source != mapping[source] or image_event != event:
                continue
            if mapping.get(target, image_target) != image_target:
                continue
            if target not in mapping and image_target in mapping.values():
                continue
            if extend(others, {**mapping, target: image_target}):
                return True
        return False

    return extend(left, {0: 0})


@pytest.mark.parametrize("explore", [reference_graph, engine_graph])
@pytest.mark.parametrize("name", GRAPHS)
def test_graph(name: str, explore: Callable[[fairlead.Model], list[Transition]]) -> None:
    text, expected = GRAPHS[name]
    found = explore(fairlead.loads(text))
    assert isomorphic(found, parse_transitions(expected)), sorted(found)


# ---------------------------------------------------------------- deadlock and termination

DEADLOCK_FREE = {
    "Stop": False,
    "Skip": True,
    "a -> P()": True,
    "a -> Stop [] b -> Skip": False,
    "Skip ||| Stop": False,
    "Skip || Skip": True,
    "(Skip ||| Skip); Stop": False,
    "a -> Skip; Skip": True,
    "[1 == 2] Skip": False,
    "if (1 == 2) {Stop}": True,
    "case {1 == 2 : Stop}": True,
    "a -> b -> Skip || b -> a -> Skip": False,
}


@pytest.mark.parametrize("body", DEADLOCK_FREE)
def test_deadlock_free(body: str) -> None:
    result = fairlead.loads(f"P() = {body};").check("P() deadlockfree")
    assert (result.verdict is fairlead.Verdict.HOLDS) == DEADLOCK_FREE[body]


# ---------------------------------------------------------------- who takes part

PARTICIPANTS = {
    "P() = Q(1) ||| Q(2); Q(i) = a.i -> Stop;": {"a.1": "Q(1)", "a.2": "Q(2)"},
    "P() = Q(1) || R(); Q(i) = a -> Stop; R() = a -> Stop;": {"a": "Q(1) R()"},
    "P() = Q() ||| Q(); Q() = Skip;": {"terminate": "Q() Q()#2"},
    "P() = (Q() ||| R()); a -> Stop; Q() = Skip; R() = Skip;": {"τ": "Q() R()", "a": "P()"},
    "P() = a -> (Q() ||| R()); Q() = b -> Stop; R() = c -> Stop;": {"a": "P()", "b": "Q()", "c": "R()"},
    "P() = Q() ||| R(); Q() = a -> (b -> Stop ||| c -> Stop); R() = Stop;": {
        "a": "Q()",
        "b": "Q()",
        "c": "Q()",
    },
    "P() = (Q() ||| R()) ||| S(); Q() = a -> Stop; R() = b -> Stop; S() = c -> Stop;": {
        "a": "Q()",
        "b": "R()",
        "c": "S()",
    },
}


@pytest.mark.parametrize("text", PARTICIPANTS)
def test_participants(text: str) -> None:
    graph = fairlead.loads(text).graph("P()")
    found = {
        shown(step.event): " ".join(sorted(step.processes))
        for steps in graph.transitions.values()
        for step in steps
    }
    assert found == PARTICIPANTS[text]
