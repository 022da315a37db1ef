"""Models whose checkpoints have much in them, and why a checkpoint is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import Code, FairleadError
from fairlead.search.checkpoint import Checkpoints

#: constructs that make tables grow on both sides: trees that change, parameters, channels, values
GROWING = {
    "forks": "var x:{0..9}; P() = [x < 9] a{x = x + 1;} -> (P() ||| b -> Skip);#assert P() deadlockfree;",
    "parameters": "P(n) = [n < 90] up -> P(n + 1) [] down.n -> P(0); S() = P(0) ||| P(1);"
    "#assert S() deadlockfree;",
    "channels": "channel c 3; P(n) = c!n -> P((n + 1) % 5); Q() = c?x -> got.x -> Q();"
    "S() = P(0) ||| P(2) ||| Q(); #assert S() deadlockfree; #assert S() |= []<> got.3;",
    "values": "var<Set> s; P(n) = add.n{s.Add(n);} -> P((n + 1) % 7); S() = P(0) ||| P(3);"
    "#define full s.Count() == 7; #assert S() reaches full; #assert S() deadlockfree;"
    "#assert S() |= <> full;",
    "containers": "var<List> l; var<Queue> q; var<HashTable> h; channel c 2;"
    "P(n) = [l.Count() < 3] add.l{l.Add(n); q = new Queue(l.ToArray()); h.SetValue(n, q.Count());}"
    " -> P(1 - n) [] [!l.IsEmpty()] c!l{l.RemoveAt(0);} -> P(n); Q() = c?x -> got.x.h -> Q();"
    "S() = P(0) ||| Q(); #define full l.Count() == 3 && q.Count() == 3;"
    "#assert S() reaches full; #assert S() deadlockfree; #assert S() |= []<> full;",
    "choices": "P() = a -> (b -> P() ||| c -> Skip) [] d -> (P() [*] e -> Stop); #assert P() deadlockfree;",
}

SMALL = "var x:{0..50}; P() = [x < 50] up{x = x + 1;} -> P() [] [x > 0] down{x = x - 1;} -> P();"
QUESTION = "P() deadlockfree"


def refusal(
    text: str, file: Path, question: str = QUESTION, definitions: dict[str, object] | None = None
) -> str:
    """Why a file is refused; what it holds stays as it is."""
    before = file.read_bytes()
    with pytest.raises(FairleadError) as caught:
        fairlead.loads(text, definitions=definitions).check(
            question, checkpoints=Checkpoints(str(file), str(file))
        )
    (problem,) = caught.value.diagnostics
    assert problem.code is Code.CHECKPOINT
    assert file.read_bytes() == before
    return problem.message
