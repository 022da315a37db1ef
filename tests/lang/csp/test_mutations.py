"""Damaged models: loading one ends in a model or in a diagnostic with a place in the text, and soon."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from fairlead.base.diagnostics import FairleadError, InputError
from fairlead.base.source import Source
from fairlead.lang.csp.model import CspModel
from fairlead.lang.csp.parse import parse_specification
from tests.support.places import EXAMPLES

EVERYTHING = """\
//@@Everything@@
#import "PAT.Lib.Set"; #define N 3; #define low -1; #define goal x > 0 && y == 1; #define on true;
#define mul(i, j) i * j; #define reset {x = 0; y = 0}; #define far if (x > y) {x - y} else {y - x};
enum {red, green, blue};
var x = 3; var y:{0..5} = 0; hvar h; counter k = 0; var<Set> s = new Set(); var w:{..3} = *; var b = !on;
var a = [1(2), 3..6, 7(N * 2), 12..10]; var m[2][3]:{0..9} = [1..6];
channel c 3; channel d[N] 0;
P(i) = go.i -> P(i); stop -> Q
  [] [x > 0 && !b] step.(i + 1) % N{x++; if (x == 1) y = 2; else {y = 3}} -> Stop();
Q = c!1.x{y = 1} -> c?[z > 1]z.1 -> d[x]!x -> d[(x + 1) % N]?k -> Skip;
R(i:{0..2}, j) = case { x == 1 : go.1 -> Q y == 2 : (stop -> Q) (b) : P(i) !b : {x = 1} -> Q default: Skip };
S = if (x == 1) { Q } else if (y > 2) { P(1); } else { R(1, 2) }; ifa (b) { Q } ; ifb (y > 1) { Q };
T = atomic{ go.1 -> stop -> Skip }; assert(x > 1); (go.1, stop) -> T interrupt tau{x = 1} -> Stop;
U = (||| i:{0..N - 1}; j:{red, 2} @ P(i)) \\ {stop, i:{0..2} @ go.i} || R(0, [1, 2]) ||| ||| {3} @ Q;
V = ||| {..} @ Q; W = wf(go.1) -> sf(stop){x = call(mul, 2, y)} -> (Q [*] S <> T);
X = run{var t = 0; var u[2] = [1, 2]; while (t < N) { t++; m[0][t] = a[t] / 2 * 3 - -1; }
        reset; s.Add(x);} -> Skip;
Y = [|| i:{0..2} @ (a[i] == i) xor b & on | b ^ on] size.s.Count() -> Y [] [s$Field != #Q() + 1] stop -> Skip;
#alphabet P {go.i, i:{0..2}; j:{0..1} @ step.i.j};
#assert P(1) deadlockfree; #assert Q nonterminating; #assert S divergencefree; #assert T deterministic;
#assert U |= [](go.1 -> <> "c!1;") && X (goal U !stop); #assert X reaches goal with min(x + 1);
#assert P(0) refines <FD> Q(); #assert P(0) refines Q; /* end */ // of it
"""
WORDS = [
    *"()[]{}.,;:@#!?=<>+-*/%&|^$\\\"'`~ \n\t", "->", "..", "[]", "[*]", "<>", "|||", "||", "&&", "==", "|=",
    "->>", "++", ":=", "if", "else", "case", "default", "while", "var", "hvar", "channel", "enum", "atomic",
    "counter", "Skip", "Stop", "interrupt", "tau", "init", "call", "new", "true", "xor", "assert", "#assert",
    "#define", "#include", "#alphabet", "deadlockfree", "refines", "reaches", "with", "min", "Wait[3]",
    "pcase{", "Role x {", "0", "2147483648", "x", "P", "N", "/*", "*/", "//", '"', "é", "\ufeff", "\u2028",
    "--", "|~|", "[|", "STOP", "N(1)", "i:{0..2}@", "{x=1}",
]  # fmt: skip


def texts() -> list[str]:
    return [EVERYTHING, *(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.rglob("*.csp")))]


def damaged(chance: random.Random, models: list[str]) -> str:
    """A model, or a part of one, with a few changes."""
    text = chance.choice([EVERYTHING, *models])
    if chance.random() < 0.5:
        start = chance.randrange(len(text))
        text = text[start : start + chance.randrange(20, 600)]
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        text = chance.choice((_characters, _word, _lines, _splice, _bracket, _cut))(chance, text, models)
    return text


def _place(chance: random.Random, text: str) -> int:
    return chance.randrange(len(text) + 1)


def _characters(chance: random.Random, text: str, _: list[str]) -> str:
    at, length = _place(chance, text), chance.randrange(6)
    return (
        text[:at]
        + chance.choice(("", text[at : at + length] * 2, text[at : at + length][::-1]))
        + text[at + length :]
    )


def _word(chance: random.Random, text: str, _: list[str]) -> str:
    at, blank = _place(chance, text), chance.choice(("", " "))
    return text[:at] + blank + chance.choice(WORDS) + blank + text[at + chance.choice((0, 0, 1, 3)) :]


def _lines(chance: random.Random, text: str, _: list[str]) -> str:
    lines = text.split("\n")
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[i], lines[j] = chance.choice(((lines[j], lines[i]), ("", lines[j]), (lines[i] + lines[j], "")))
    return "\n".join(lines)


def _splice(chance: random.Random, text: str, models: list[str]) -> str:
    other = chance.choice(models)
    start = chance.randrange(len(other))
    at = _place(chance, text)
    return text[:at] + other[start : start + chance.randrange(60)] + text[at:]


def _bracket(chance: random.Random, text: str, _: list[str]) -> str:
    places = [i for i, character in enumerate(text) if character in "()[]{}"] or [0]
    at = chance.choice(places)
    return text[:at] + chance.choice(("", *"()[]{}")) + text[at + 1 :]


def _cut(chance: random.Random, text: str, _: list[str]) -> str:
    at = _place(chance, text)
    return chance.choice((text[:at], text[at:]))


@contextmanager
def soon() -> Iterator[None]:
    """A hang becomes a failure that can be seen."""
    previous = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def _too_long(*_: object) -> None:
    raise TimeoutError("a damaged model takes more than a minute")


def check(text: str) -> None:
    source = Source("damaged.csp", text)
    with soon():
        try:
            parse_specification(source)
        except InputError as error:
            assert str(error)
            for diagnostic in error.diagnostics:
                assert diagnostic.span is not None and diagnostic.span.source is source
                assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
            return
        try:
            model = CspModel(source, {})
            for assertion in model.assertions:
                model.system(assertion.process)
        except FairleadError as error:
            assert str(error)


def check_many(seed: int, count: int) -> None:
    chance, models = random.Random(seed), texts()
    for _ in range(count):
        text = damaged(chance, models)
        try:
            check(text)
        except BaseException as error:
            error.add_note(f"the text was {text!r}")
            raise


def test_the_models_themselves() -> None:
    for text in texts():
        parse_specification(Source("whole.csp", text))


@pytest.mark.parametrize(
    "text",
    [
        "#assert P |= " + "/* " * 100_000,
        "|= ( a ; " * 50_000,
        "P = Q" + " interrupt [x] Q" * 20_000 + ";",
        "P = a" + ";" * 100_000 + "b;",
        "P = case {" + " (x) - -y : Q" * 10_000 + "};",
        "#define a (x);" * 10_000,
        "channel a" + ", a" * 50_000,
    ],
    ids=["comments", "formulas", "interrupts", "semicolons", "branches", "defines", "channels"],
)
def test_long_repetitions(text: str) -> None:
    """Time that grows with the square of the length would be noticed here."""
    with soon(), suppress(InputError):
        parse_specification(Source("long.csp", text))


@pytest.mark.parametrize("seed", range(10))
def test_damaged_models(seed: int) -> None:
    check_many(seed, 60)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_damaged_models(seed: int) -> None:
    check_many(seed, 1000)
