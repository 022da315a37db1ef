"""Small models with processes that can be counted, by what they are about."""

from __future__ import annotations

#: models with the names of the processes to be counted in System()
MODELS: dict[str, tuple[str, str]] = {
    "two local states": ("P() = a -> b -> P(); System() = ||| {3} @ P();", "P"),
    "readers and writers": (
        """
        var writing = false; var reading = 0;
        Reader() = [!writing] startread{reading++;} -> stopread{reading--;} -> Reader();
        Writer() = [!writing && reading == 0] startwrite{writing = true;} ->
                   stopwrite{writing = false;} -> Writer();
        System() = (||| {2} @ Reader()) ||| (||| {2} @ Writer());
        """,
        "Reader Writer",
    ),
    "handshakes within": (
        "channel c 0; P() = send -> X() [] wait -> Y(); X() = c!0 -> Y() [] b -> X(); Y() = c?0 -> X();"
        "System() = ||| {3} @ P();",
        "P",
    ),
    "handshakes of one local state": (
        "channel c 0; P() = c!1 -> Q() [] c?x -> R(x); Q() = a -> P(); R(x) = e.x -> P();"
        "System() = ||| {3} @ P();",
        "P",
    ),
    "handshakes that store": (
        "channel c 0; var last:{0..2}; P(k) = c!k{last = k;} -> P((k + 1) % 2) [] c?j{last = j;} -> P(j);"
        "System() = ||| {3} @ P(0);",
        "P",
    ),
    "handshakes with others": (
        "channel ask 0; channel give 0; P() = ask!1 -> give?x -> use.x -> P();"
        "Server() = ask?n -> give!(n + 1) -> Server(); System() = (||| {3} @ P()) ||| Server();",
        "P",
    ),
    "handshakes of two groups": (
        "channel c 0; P() = c!1 -> a -> P(); Q() = c?x -> b -> Q(); System() = (||| {2} @ P()) ||| "
        "(||| {3} @ Q());",
        "P Q",
    ),
    "an array of channels": (
        "channel c[2] 0; var n:{0..1}; P() = c[n]!n -> P() [] c[n]?x -> flip{n = 1 - n;} -> P();"
        "System() = (||| {3} @ P()) ||| (c[1]?y -> Stop);",
        "P",
    ),
    "a guarded message": (
        "channel c 0; var n:{0..2}; P() = c!n -> P() [] c?[x > 0]x -> a{n = (n + x) % 3;} -> P();"
        "Q() = up{n = (n + 1) % 3;} -> Q(); System() = (||| {3} @ P()) ||| Q();",
        "P",
    ),
    "a buffer": (
        "channel c 2; P() = c!1 -> P() [] c?x -> a.x -> P(); System() = ||| {3} @ P();",
        "P",
    ),
    "two buffers and a guard": (
        "channel c 1; channel d 1; P() = c!0 -> d?x -> P(); Q() = c?x -> d!x -> Q() [] "
        "[call(cfull, c)] full -> Q(); System() = (||| {3} @ P()) ||| Q();",
        "P",
    ),
    "joint termination": ("P() = a -> Skip; System() = ||| {3} @ P();", "P"),
    "termination beside others": (
        "P() = a -> Skip; Q() = b -> Skip; System() = (||| {3} @ P()) ||| Q();",
        "P",
    ),
    "some never end": ("P() = a -> Skip [] b -> Stop; System() = ||| {3} @ P();", "P"),
    "a sequel after the group": (
        "P() = a -> Skip; Q() = b -> Q(); System() = (||| {3} @ P()); Q();",
        "P",
    ),
    "a group after a group": (
        "P() = a -> Skip; System() = (||| {2} @ P()); (||| {2} @ P()); c -> Skip;",
        "P",
    ),
    "members with sequels of their own": (
        "P() = (a -> Skip [] b -> Skip); c -> P(); System() = (||| {3} @ P()) ||| Skip;",
        "P",
    ),
    "at once at the end": ("P() = Skip; System() = (||| {3} @ P()); a -> Stop;", "P"),
    "nothing to do": ("P() = Stop; System() = (||| {3} @ P()) ||| (a -> Skip);", "P"),
    "forks": ("P() = a -> (Q() ||| Q()); Q() = b -> Skip; System() = ||| {2} @ P();", "P"),
    "forks of three with parameters": (
        "P(n) = [n > 0] a.n -> (P(n - 1) ||| Skip ||| P(0)) [] [n == 0] b -> Stop;System() = ||| {2} @ P(1);",
        "P",
    ),
    "forks that meet in a handshake": (
        "channel c 0; P() = a -> (c!1 -> Skip ||| c?x -> Skip); System() = ||| {2} @ P();",
        "P",
    ),
    "hidden around": (
        "P() = a -> b -> P(); System() = ((||| {3} @ P()) \\ {a}) ||| (a -> Stop);",
        "(||| {3} @ P()) \\ {a} 1:34",
    ),
    "handshakes hidden at the root": (
        "channel c 0; P() = c!1 -> a -> P() [] c?x -> b -> P(); System() = (||| {3} @ P()) \\ {c.1, a};",
        "P System",
    ),
    "with a controller": (
        "P() = a -> b -> P(); C() = a -> C1(); C1() = a -> b -> C1() [] b -> C(); System() = "
        "(||| {3} @ P()) || C();",
        "P",
    ),
    "with a controller that ends": (
        "P() = a -> P() [] stop -> Skip; C() = a -> a -> Skip; System() = (||| {3} @ P()) || C();",
        "P",
    ),
    "atomic elsewhere": (
        "var n:{0..2}; P() = [n < 2] a{n = n + 1;} -> b -> P(); Q() = start -> "
        "atomic{r{n = 0;} -> s -> Skip}; Q();"
        "System() = (||| {3} @ P()) ||| Q();",
        "P",
    ),
    "atomic partners of a handshake": (
        "channel c 0; P() = c?x -> a -> P() [] b -> P(); Q() = atomic{c!1 -> c!2 -> Skip}; d -> Q();"
        "System() = (||| {3} @ P()) ||| Q();",
        "P",
    ),
    "conditions": (
        "var n:{0..2}; P() = if (n == 0) {a{n = 1;} -> P()} else {b{n = (n + 1) % 3;} -> P()};"
        "System() = ||| {3} @ P();",
        "P",
    ),
    "conditions without a step": (
        "var n:{0..2}; P() = ifa (n < 2) {a{n = n + 1;} -> P()} else {b{n = 0;} -> Skip};"
        "System() = ||| {3} @ P();",
        "P",
    ),
    "waiting": (
        "var n:{0..2}; P() = ifb (n == 1) {a{n = 2;} -> P()}; Q() = up{n = (n + 1) % 3;} -> Q();"
        "System() = (||| {2} @ P()) ||| Q();",
        "P",
    ),
    "cases": (
        "var n:{0..2}; P() = case { n == 0 : a{n = 1;} -> P()\n n == 1 : b{n = 2;} -> P()\n"
        " default : c{n = 0;} -> P() }; System() = ||| {3} @ P();",
        "P",
    ),
    "parameters": (
        "var n:{0..2}; P(k) = [k < 2] a.k{n = k;} -> P(k + 1) [] [k == 2] r.(n) -> P(0);"
        "System() = ||| {3} @ P(0);",
        "P",
    ),
    "members that begin differently": (
        "P(k) = a.k -> P((k + 1) % 3); System() = P(0) ||| P(1) ||| P(1);",
        "P",
    ),
    "internal steps": (
        "var n:{0..2}; P() = tau -> a -> P() <> {n = (n + 1) % 3;} -> P(); System() = ||| {2} @ P();",
        "P",
    ),
    "a failing assertion": (
        "var n:{0..3}; P() = a{n = n + 1;} -> assert(n < 2); P() [] [n > 2] b -> Skip;"
        "System() = ||| {2} @ P();",
        "P",
    ),
    "a failing operation": ("var n:{0..2}; P() = a{n = n + 1;} -> b -> P(); System() = ||| {2} @ P();", "P"),
    "a failing guard": (
        "var n = 2; P() = [4 / n > 0] a{n = n - 1;} -> c -> P(); System() = (||| {2} @ P()) ||| (b -> Stop);",
        "P",
    ),
    "annotations": (
        "var n:{0..2}; P() = wf(a){n = (n + 1) % 3;} -> [n == 1] sl(b) -> P(); System() = ||| {3} @ P();",
        "P",
    ),
    "annotated partners": (
        "P() = wl(a) -> sf(b) -> P(); C() = a -> C1(); C1() = b -> C(); System() = (||| {2} @ P()) || C();",
        "P",
    ),
    "a group inside of a process": (
        "P() = a -> b -> P(); Q() = start -> (P() ||| P()); System() = Q() ||| (c -> Stop);",
        "Q",
    ),
    "many values at the start": (
        "var n:{0..2} = *; P() = [n > 0] a{n = n - 1;} -> P() [] [n == 0] b -> Skip;"
        "System() = ||| {3} @ P();",
        "P",
    ),
    "interrupted": (
        "P() = a -> b -> P(); Q() = c -> Skip; System() = (||| {2} @ P()) interrupt Q();",
        "P System",
    ),
}
