"""Everything that reads what others wrote: functions of bytes, with seeds and ways to damage them."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import fairlead
from fairlead.base.forms import Form, identifier
from fairlead.base.source import Source
from fairlead.cli.stored import check_form, read_results
from fairlead.lang.csp.lexing import DIRECTIVES, OPERATORS
from fairlead.lang.fsp.lexing import RESERVED
from fairlead.logic.automata.translate import to_automaton
from fairlead.logic.parsing.parse import parse_ltl
from fairlead.logic.rewrite import simplify
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import within
from fairlead.present.result_json import result_json
from tests.support.forging.checkpoints import Parts
from tests.support.fuzz.mutate import MOST_BYTES, Words, mutated, mutated_json
from tests.support.generators.csp_models import random_model
from tests.support.generators.differing_types import random_differing_model
from tests.support.generators.fsp_models import random_system
from tests.support.generators.mixed_models import mixed_model
from tests.support.generators.side_by_side import random_ltl
from tests.support.generators.structured import structured_model
from tests.support.places import EXAMPLES, TESTS

CORPUS = TESTS / "fuzz" / "corpus"
#: what a check of a fuzzed input may use
SECONDS, MEMORY = 1.0, 64 << 20
LIMITS = fairlead.Limits(max_states=200, max_memory=MEMORY, timeout=SECONDS, threads=1)

#: a model that formulas, evidence and checkpoints are about
MODEL = """
#define N 2;
var x:{0..3} = 0;
var q[2]:{0..1};
channel c 1;
P(i) = [x < 3] a.i{x = x + 1; q[i] = 1;} -> P(i) [] [x > 0] b.i{x = x - 1; q[i] = 0;} -> P(i);
Q() = c!x -> Q() [] c?y -> d.y -> Q();
System() = P(0) ||| P(1) ||| Q();
#define full x == 3;
#assert System() deadlockfree;
#assert System() reaches full;
#assert System() |= []<> a.0;
#assert System() |= <>[] full;
#assert System() reaches full with max(x);
#assert System() |= [](a.0 -> <> b.0);
"""


@dataclass(frozen=True)
class Reader:
    """One of them: what it does with bytes, the seeds, and a random well-formed input."""

    name: str
    #: reads the bytes; the folder is for files
    read: Callable[[bytes, Path], None]
    seeds: Callable[[], Iterable[bytes]]
    words: Words
    make: Callable[[Random], bytes]
    #: another way to damage an input, that keeps its outer form
    inner: Callable[[bytes, Random], bytes] | None = None

    def next(self, corpus: list[bytes], random: Random) -> bytes:
        """An input made from others."""
        if random.random() < 0.02:
            return self.make(random)[:MOST_BYTES]
        data = random.choice(corpus)
        if self.inner is not None and random.random() < 0.6:
            return self.inner(data, random)
        return mutated(data, corpus, self.words, random)


def _words(*texts: Iterable[str]) -> Words:
    return [word.encode() for text in texts for word in text]


def _corpus(prefix: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(CORPUS.glob(f"{prefix}-*"))]


def _examples(suffix: str) -> list[bytes]:
    texts = (path.read_bytes() for path in sorted(EXAMPLES.rglob(f"*{suffix}")))
    return [text for text in texts if len(text) < 6000]


# ---------------------------------------------------------------- models


def _model_reader(suffix: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        file = folder / f"input{suffix}"
        file.write_bytes(data)
        with within(LIMITS, Phase.READING):  # as the command does: one limit for all of it
            model = fairlead.load(file, limits=LIMITS)
            asked = model.assertions
            if asked:
                model.check(asked[hashlib.blake2b(data).digest()[0] % len(asked)], limits=LIMITS)
            else:
                model.graph(limits=LIMITS)

    return read


def _csp_model(random: Random) -> bytes:
    seed = random.randrange(1 << 30)
    make = random.choice(
        (random_model, structured_model, random_differing_model, lambda seed: mixed_model(seed).text)
    )
    return (make(seed) + "\n#assert System() deadlockfree;\n").encode()


def _fsp_model(random: Random) -> bytes:
    return "\n".join(random_system(random.randrange(1 << 30))).encode()


def _aut_graph(random: Random) -> bytes:
    states, count = random.randint(1, 6), random.randint(0, 12)
    events = ("a", '"b.1"', "tau", "i", '"x y"', "c!1")
    lines = (
        f"({random.randrange(states)}, {random.choice(events)}, {random.randrange(states)})"
        for _ in range(count)
    )
    return "\n".join([f"des (0, {count}, {states})", *lines]).encode()


def _json_graph(random: Random) -> bytes:
    states = random.randint(1, 5)
    transitions = [
        [
            random.randrange(states),
            random.choice("abi"),
            random.randrange(states),
            random.choice((["P"], ["Q"], ["P", "Q"])),
        ]
        for _ in range(random.randint(0, 9))
    ]
    return json.dumps({"states": states, "initial": 0, "transitions": transitions}).encode()


# ---------------------------------------------------------------- formulas about one model


@cache
def _small_model() -> fairlead.Model:
    return fairlead.loads(MODEL)


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape")


def _read_ltl(data: bytes, folder: Path) -> None:
    with within(LIMITS, Phase.PREPARING):
        to_automaton(simplify(parse_ltl(Source("formula", _text(data))).formula))
        _small_model().check(ltl=_text(data), process="System()", limits=LIMITS)


def _read_ctl(data: bytes, folder: Path) -> None:
    _small_model().check(ctl=_text(data), process="System()", limits=LIMITS)


def _read_fair(data: bytes, folder: Path) -> None:
    _small_model().check("System() |= []<> a.0", fair=_text(data), limits=LIMITS)


def _read_assertion(data: bytes, folder: Path) -> None:
    _small_model().check(_text(data), limits=LIMITS)


def _read_options(data: bytes, folder: Path) -> None:
    """`-D NAME=VALUE`, `--processes NAME=NUMBER`, `--fairness`: a line for each."""
    lines = [*_text(data).split("\n"), "", "", ""]
    definitions = dict([lines[0].split("=", 1)]) if "=" in lines[0] else {}
    processes = dict([lines[1].split("=", 1)]) if "=" in lines[1] else {}
    model = fairlead.loads(MODEL, definitions=definitions, processes=processes, limits=LIMITS)
    model.check("System() |= []<> a.0", fairness=lines[2] or None, limits=LIMITS)


_ATOMS = ("a.0", "b.1", "full", "x == 1", "q[0] > 0", "enabled(a.0)", "executed(P(1))", '"c!1"')
_LTL = (
    "[]",
    "<>",
    "X",
    "U",
    "R",
    "W",
    "V",
    "G",
    "F",
    "!",
    "&&",
    "||",
    "->",
    "<->",
    "(",
    ")",
    "true",
    "false",
)
_CTL = ("AG", "EF", "AF", "EG", "AX", "EX", "A[", "E[", "]", "A", "E")
_FAIR = (
    "GF",
    "FG",
    "weak(",
    "strong(",
    "all",
    "some",
    "processes",
    "events",
    "p:",
    "enabled(",
    "executed(p)",
)


def _ltl_formula(random: Random) -> bytes:
    return random_ltl(random, _ATOMS, random.randint(0, 6)).encode()


def _ctl_formula(random: Random) -> bytes:
    text = random.choice(_ATOMS)
    for _ in range(random.randint(0, 6)):
        other = random.choice(_ATOMS)
        text = random.choice(
            (f"AG ({text})", f"EF ({text})", f"A[{text} U {other}]", f"!({text})", f"({text}) && {other}")
        )
    return text.encode()


def _fair_formula(random: Random) -> bytes:
    parts = [f"{random.choice(('GF', 'FG'))} ({random.choice(_ATOMS)})" for _ in range(random.randint(1, 4))]
    parts.append(random.choice(("weak(a.0)", "strong(P(0))", "all processes p: GF executed(p)")))
    return random.choice((" && ", " || ", " -> ")).join(parts).encode()


# ---------------------------------------------------------------- evidence and checkpoints


@cache
def _results() -> tuple[bytes, ...]:
    model = _small_model()
    found = []
    for assertion in model.assertions:
        for notion in ("none", "esf") if "|=" in assertion.text else ("none",):
            result = model.check(assertion, fairness=notion)
            document = {"schema": identifier(Form.CHECK), "model": "m.csp", "results": [result_json(result)]}
            found.append(json.dumps(document).encode())
    return tuple(found)


def _read_results(data: bytes, folder: Path) -> None:
    file = folder / "results.json"
    file.write_bytes(data)
    stored = read_results(file)
    model = _small_model()
    for result in stored["results"][:3]:
        if isinstance(result, dict) and result.get("evidence") is not None:
            check_form(result)
            model.validate(result, limits=LIMITS)
            model.run_of(result, limits=LIMITS)


@cache
def _checkpoint() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "seed"
        limits = fairlead.Limits(max_states=20, threads=1)
        _fresh().check("System() deadlockfree", limits=limits, checkpoint=file, reduction="none")
        return file.read_bytes()


def _fresh() -> fairlead.Model:
    return fairlead.loads(MODEL)


def _read_checkpoint(data: bytes, folder: Path) -> None:
    file = folder / "resumed"
    file.write_bytes(data)
    _fresh().check("System() deadlockfree", limits=LIMITS, resume=file, reduction="none")


def _forged_checkpoint(data: bytes, random: Random) -> bytes:
    """Other facts or states with the right checksum and signature, so that the checks behind those look."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "forged"
        file.write_bytes(data)
        try:
            parts = Parts.of(file)
        except (ValueError, AssertionError):  # the form itself is damaged
            return data
        for _ in range(random.choice((1, 1, 2))):
            parts = parts.altered_facts(random) if random.random() < 0.6 else parts.altered_states(random)
        parts.write(file)
        return file.read_bytes()


# ---------------------------------------------------------------- all of them

_KEYWORDS = [
    "var",
    "channel",
    "const",
    "hvar",
    "enum",
    "if",
    "else",
    "ifa",
    "ifb",
    "case",
    "default",
    "while",
    "atomic",
    "interrupt",
    "Skip",
    "Stop",
    "tau",
    "true",
    "false",
    "call",
    "new",
    "assert",
    "deadlockfree",
    "nonterminating",
    "divergencefree",
    "deterministic",
    "reaches",
    "refines",
    "refines<F>",
    "refines<FD>",
    "with",
    "max(x)",
    "min(x)",
    "System()",
    "i:{0..2}@",
    "wf(a)",
    "sf(a)",
    "f(a)",
    "c!1",
    "c?x",
    "cempty(c)",
    "xx",
    "|=",
    "[]<>",
]
_GRAPH_KEYS = (
    "states",
    "initial",
    "transitions",
    "from",
    "event",
    "to",
    "processes",
    "propositions",
    "terminated",
)


def _inner_json(data: bytes, random: Random) -> bytes:
    return mutated_json(data, random, _GRAPH_KEYS)


def _seeded(
    prefix: str, make: Callable[[Random], bytes], suffix: str | None = None
) -> Callable[[], Iterable[bytes]]:
    """The seeds in the tree, examples, and a few that are made."""
    return lambda: [
        *_corpus(prefix),
        *(() if suffix is None else _examples(suffix)),
        *(make(Random(seed)) for seed in range(8)),
    ]


def _reader(
    name: str, read: Any, words: Words, make: Any, suffix: str | None = None, inner: Any = None
) -> Reader:
    return Reader(name, read, _seeded(name, make, suffix), words, make, inner)


_DIRECTIVES = [f"#{directive}" for directive in sorted(DIRECTIVES)]
_OPTIONS = (b"N=3\n\newf", b"\nP=inf\nnone", b"M=1\nQ=4\nall")


def _own_assertion(random: Random) -> bytes:
    return random.choice(_small_model().assertions).text.encode()


def _all_readers() -> Iterable[Reader]:
    csp_words = _words(_KEYWORDS, OPERATORS, _DIRECTIVES)
    yield _reader("csp", _model_reader(".csp"), csp_words, _csp_model, ".csp")
    fsp_words = _words(
        sorted(RESERVED),
        ["STOP", "END", "ERROR", "||", "->", "::", "..", "/", "@", "\\", "[i:0..2]", "{a,b}"],
    )
    yield _reader("fsp", _model_reader(".lts"), fsp_words, _fsp_model, ".lts")
    yield _reader(
        "aut", _model_reader(".aut"), _words(['"', "(", ")", ",", "des", "tau", "i"]), _aut_graph, ".aut"
    )
    yield _reader("json", _model_reader(".json"), _words(_GRAPH_KEYS), _json_graph, ".json", _inner_json)
    yield _reader("ltl", _read_ltl, _words(_ATOMS, _LTL, (" ", "\n", ";")), _ltl_formula)
    yield _reader("ctl", _read_ctl, _words(_ATOMS, _LTL, _CTL), _ctl_formula)
    yield _reader("fair", _read_fair, _words(_ATOMS, _LTL, _FAIR), _fair_formula)
    yield _reader("assertion", _read_assertion, _words(_KEYWORDS, _ATOMS, _LTL), _own_assertion)
    option_words = _words(["N", "P", "inf", "=", "ewf", "all", ",", "..", "2..4"])
    yield _reader("options", _read_options, option_words, lambda random: random.choice(_OPTIONS))
    result_words = _words(["null", "true", '"event"', '"state"', "[", "{"])
    yield _reader(
        "results", _read_results, result_words, lambda random: random.choice(_results()), None, mutated_json
    )
    checkpoint_words = _words(("0", "fairlead checkpoint 4\n", "\0\0\0\0"))
    yield _reader(
        "checkpoint",
        _read_checkpoint,
        checkpoint_words,
        lambda random: _checkpoint(),
        None,
        _forged_checkpoint,
    )


READERS: dict[str, Reader] = {reader.name: reader for reader in _all_readers()}
