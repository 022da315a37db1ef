# ruff: noqa: B023 — each function is called before the variables of the loop change
"""Metamorphic tests: what is asked in another way, or of another form of a system, has the same answer.

Every relation is tried on all examples and on random CSP#, FSP and graph models, under every notion.
Renaming, reordering and processes beside a CSP# model are in `test_invariance.py`, which works on its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

import fairlead
from fairlead.base.tuning import tuned
from fairlead.lang.explicit.write import to_json
from fairlead.logic.fairness.notions import CLASSIC
from fairlead.model.explicit import ExplicitGraph
from tests.support.asking.models import Answer, agree
from tests.support.examples.small_sizes import SIZES
from tests.support.generators.csp_models import random_model
from tests.support.generators.equivalent_formulas import (
    Tree,
    branching,
    in_fsp,
    linear,
    respelled,
    text,
)
from tests.support.generators.equivalent_graphs import (
    Changed,
    beside_idle,
    renumbered,
    unfolded,
    with_unreachable,
)
from tests.support.generators.fsp_models import random_system
from tests.support.oracle.branching_questions import random_structure
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some

NONE = fairlead.Fairness.NONE
PLAIN = re.compile(r"[a-z]\w*")
#: the definition of a composite process in FSP
COMPOSITE = re.compile(r"(?:\w+ )*\|\|(\w+)")
LIMITS = fairlead.Limits(max_states=5000, max_memory=1 << 30)
MOST_STATES = 60
LONG_STATES = 400
LANGUAGES = ("csp", "lts", "json")
FIRST, COUNT = 7_000, 15
LONG_FIRST, LONG_COUNT, CHUNKS = 70_000, 400, 20
EAGER = {"small_system": 2, "first_batch": 3, "auto_whole": 2, "auto_sample": 5, "least_work": 1}


@dataclass(frozen=True)
class Subject:
    """A system: the model that it is of, its graph, and what formulas may name."""

    name: str
    model: fairlead.Model
    process: str | None
    graph: ExplicitGraph
    is_fsp: bool = False

    @property
    def atoms(self) -> list[str]:
        """Propositions, and events whose names are words, which all languages can name."""
        events = {step.event for steps in self.graph.transitions.values() for step in steps}
        plain = sorted(event for event in events if PLAIN.fullmatch(event))
        return [*sorted(self.graph.propositions), *plain]

    def written(self, formula: Tree) -> str:
        """A formula as the language of the model has it."""
        return text(in_fsp(formula, self.atoms[0]) if self.is_fsp else formula)

    @property
    def as_graph(self) -> fairlead.Model:
        """The graph as a model."""
        return fairlead.loads(to_json(self.graph), "json")


def subject_of(
    name: str, model: fairlead.Model, process: str | None, most: int, *, is_fsp: bool
) -> Subject | None:
    """The subject, if it is small, runs without faults and formulas can be about it."""
    try:
        graph = model.graph(process, limits=fairlead.Limits(max_states=most))
    except fairlead.FairleadError:
        return None
    found = Subject(name, model, process, graph, is_fsp)
    return found if found.atoms and not graph.errors else None


def random_subject(language: str, seed: int, most: int) -> Subject | None:
    """A random one; those of the same language and seed are the same."""
    try:
        match language:
            case "csp":
                model, process = fairlead.loads(random_model(seed)), "System()"
            case "lts":
                lines = random_system(seed)
                model = fairlead.loads("\n".join(lines), "lts")
                defined = [found for line in lines if (found := COMPOSITE.match(line))]
                process = defined[-1][1] if defined else None
            case _:
                model, process = fairlead.loads(random_structure(Random(seed)).to_json(), "json"), None
    except fairlead.FairleadError:
        return None
    return subject_of(f"{language} seed {seed}", model, process, most, is_fsp=language == "lts")


# ---------------------------------------------------------------- answers


def asked(check: Callable[[], fairlead.Result]) -> Answer:
    try:
        return check().verdict.value, None
    except fairlead.InputError as error:
        return "error", error.diagnostics[0].code


def same(what: str, one: Answer, other: Answer) -> int:
    assert agree(one, other), f"{what}: {one[0]}, then {other[0]} ({one[1]}, {other[1]})"
    return int("unknown" not in (one[0], other[0]) and one[0] != "error")


# ---------------------------------------------------------------- the relations


def formulas_respelled(subject: Subject, random: Random) -> int:
    """LTL in another spelling, and as the CTL* formula that all paths satisfy it."""
    formula = linear(random, subject.atoms, 3)
    model, process = subject.model, subject.process
    compared = 0
    for notion in fairlead.Fairness:
        expected = asked(
            lambda notion=notion: model.check(model.formula(subject.written(formula), process), notion)
        )  # type: ignore[misc]
        other = subject.written(respelled(formula, random))
        found = asked(lambda notion=notion, other=other: model.check(model.formula(other, process), notion))  # type: ignore[misc]
        compared += same(f"{subject.written(formula)} [{notion.value}] and {other}", expected, found)
        everywhere = f"A ({subject.written(formula)})"
        found = asked(lambda notion=notion: model.check(model.ctl(everywhere, process), notion))  # type: ignore[misc]
        compared += same(f"{subject.written(formula)} [{notion.value}] as CTL*", expected, found)
    return compared


def branching_respelled(subject: Subject, random: Random) -> int:
    """CTL in another spelling."""
    formula = branching(random, subject.atoms, 3)
    model, process = subject.model, subject.process
    compared = 0
    for notion in fairlead.Fairness:
        other = subject.written(respelled(formula, random))
        answers = [
            asked(lambda written=written, notion=notion: model.check(model.ctl(written, process), notion))  # type: ignore[misc]
            for written in (subject.written(formula), other)
        ]
        compared += same(f"{subject.written(formula)} [{notion.value}] and {other}", *answers)
    return compared


#: the notions as fairness formulas; strong global fairness is none
SPELLED_OUT = {
    "none": "true",
    "ewf": "all events e: weak(e)",
    "esf": "all events e: strong(e)",
    "pwf": "all processes p: weak(p)",
    "psf": "all processes p: strong(p)",
    "impartial": "all processes p: GF executed(p)",
}


def fairness_respelled(subject: Subject, random: Random) -> int:
    """A notion, the formula that defines it, and both together."""
    formula = linear(random, subject.atoms, 3)
    model = subject.model
    question = model.formula(subject.written(formula), subject.process)
    compared = 0
    for name, fair in SPELLED_OUT.items():
        notion = fairlead.Fairness(name)
        expected = asked(lambda notion=notion: model.check(question, notion))  # type: ignore[misc]
        found = asked(lambda fair=fair: model.check(question, NONE, fair=fair))  # type: ignore[misc]
        compared += same(f"{subject.written(formula)} [{name}] and --fair '{fair}'", expected, found)
        found = asked(lambda notion=notion, fair=fair: model.check(question, notion, fair=fair))  # type: ignore[misc]
        compared += same(f"{subject.written(formula)} [{name}] twice", expected, found)
    return compared


CHANGES: dict[str, Callable[[ExplicitGraph, Random], Changed]] = {
    "renumbered": renumbered,
    "unfolded once": unfolded,
    "unreachable states": with_unreachable,
}


def graphs_changed(subject: Subject, random: Random) -> int:
    """The system itself, its graph, and the graph in other forms."""
    formula = subject.written(linear(random, subject.atoms, 3))
    compared = 0
    forms = {"graph": subject.as_graph}
    for name, change in CHANGES.items():
        forms[name] = fairlead.loads(to_json(change(subject.graph, random).graph), "json")
    for notion in fairlead.Fairness:
        model = subject.model
        expected = asked(
            lambda notion=notion: model.check(model.formula(formula, subject.process), notion)  # type: ignore[misc]
        )
        for name, form in forms.items():
            found = asked(lambda notion=notion, form=form: form.check(form.formula(formula), notion))  # type: ignore[misc]
            compared += same(f"{formula} [{notion.value}], {name}", expected, found)
    return compared


def beside_an_idle_process(subject: Subject, random: Random) -> int:
    """See `check_spare_process` of `test_invariance.py` for the reason; formulas about states, without X."""
    propositions = sorted(subject.graph.propositions)
    if not propositions:
        return 0
    p, q = random.choice(propositions), random.choice(propositions)
    alone = subject.as_graph
    beside = fairlead.loads(to_json(beside_idle(subject.graph, random).graph), "json")
    compared = 0
    for formula in (f"[]<> {p}", f"<>[] {p}", f"[] ({p} -> <> {q})", f"{p} U {q}"):
        for notion in CLASSIC:
            if notion is NONE:
                continue
            answers = [
                asked(lambda form=form, notion=notion: form.check(form.formula(formula), notion))  # type: ignore[misc]
                for form in (alone, beside)
            ]
            compared += same(f"{formula} [{notion.value}], beside an idle process", *answers)
    return compared


def answered_in_other_ways(subject: Subject, random: Random) -> int:
    """With several threads, and by every strategy; one that refuses a question says nothing."""
    formula = subject.written(linear(random, subject.atoms, 3))
    model = subject.model
    question = model.formula(formula, subject.process)
    ways: list[dict[str, object]] = [{"reduction": "none", "threads": 3}, {"counters": True}]
    ways += [{"reduction": name} for name in ("por", "symmetry", "variables", "auto")]
    compared = 0
    for notion in fairlead.Fairness:
        expected = asked(lambda notion=notion: model.check(question, notion, reduction="none"))  # type: ignore[misc]
        for way in ways:
            with tuned(**EAGER):
                found = asked(lambda notion=notion, way=way: model.check(question, notion, **way))  # type: ignore[misc,arg-type]
            if found[0] != "error":
                compared += same(f"{formula} [{notion.value}], {way}", expected, found)
    return compared


RELATIONS = {
    "formulas": formulas_respelled,
    "branching": branching_respelled,
    "fairness": fairness_respelled,
    "graphs": graphs_changed,
    "idle": beside_an_idle_process,
    "ways": answered_in_other_ways,
}


def try_on(name: str, subject: Subject, seed: object) -> int:
    try:
        return RELATIONS[name](subject, Random(f"{name} {seed}"))
    except AssertionError as error:
        raise AssertionError(f"{subject.name}: {error}") from None


# ---------------------------------------------------------------- the tests


def subjects(language: str, seeds: range, most: int) -> Iterator[tuple[int, Subject]]:
    for seed in seeds:
        found = random_subject(language, seed, most)
        if found is not None:
            yield seed, found


@pytest.mark.sampled
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RELATIONS)
def test_random_models(name: str, language: str) -> None:
    seeds = some(range(FIRST, FIRST + COUNT))
    compared = sum(try_on(name, subject, seed) for seed, subject in subjects(language, seeds, MOST_STATES))
    assert compared > 20 or is_sample() or (name, language) == ("idle", "lts")  # FSP has no propositions


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RELATIONS)
def test_many_random_models(name: str, language: str, chunk: int) -> None:
    seeds = range(LONG_FIRST, LONG_FIRST + LONG_COUNT)[chunk::CHUNKS]
    for seed, subject in subjects(language, seeds, LONG_STATES):
        try_on(name, subject, seed)


EXAMPLES = sorted(
    path
    for path in ROOT.glob("examples/**/*")
    if path.suffix in (".csp", ".lts", ".aut", ".json") and not path.with_suffix(".py").exists()
)


@cache
def example(path: Path, most: int) -> Subject | None:
    """The system that the first question of a file is about."""
    model = fairlead.load(path, SIZES.get(path.stem, {}))
    process = next((name for question in model.assertions for name in question.processes), None)
    return subject_of(path.name, model, process, most, is_fsp=path.suffix == ".lts")


def on_example(name: str, path: Path, most: int, rounds: int) -> None:
    subject = example(path, most)
    if subject is None:
        pytest.skip("too large, or nothing that formulas can name")
    for seed in range(rounds):
        try_on(name, subject, f"{path.stem} {seed}")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    """One relation each; all of them in the long tests."""
    name = Random(path.name).choice(list(RELATIONS))
    on_example(name, path, MOST_STATES, 1)


@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("name", RELATIONS)
def test_examples_in_all_ways(name: str, path: Path) -> None:
    on_example(name, path, LONG_STATES, 10)
