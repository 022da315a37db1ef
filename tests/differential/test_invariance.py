"""Verdicts do not depend on what is not part of the question.

Not on the names that a model uses, nor on the order in which it is written down, nor on a process beside it
that has nothing to do with it, nor on the way in which the answer is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

import fairlead
from fairlead.base.tuning import tuned
from fairlead.lang.csp import syntax
from fairlead.lang.explicit.write import to_json
from fairlead.logic.fairness.notions import CLASSIC
from tests.support.asking.models import (
    REFINEMENTS,
    Case,
    agree,
    answer,
    formulas,
    insensitive_formulas,
    processes,
    questions_about_states,
    reference_graph,
    refinement_questions,
    small_case,
)
from tests.support.examples.small_sizes import SIZES
from tests.support.generators.csp_models import random_model
from tests.support.generators.csp_rewriting import Rewritten, annotated, declarations_of, renamed, reordered
from tests.support.places import ROOT
from tests.support.sampling import is_sample, some

FIRST_SEED, FIRST_LONG_SEED = 100_000, 200_000
LONG_SEEDS, LONG_CHUNKS = 1200, 40
DEFAULT_STATES, LONG_STATES = 100, 600
LIMITS = fairlead.Limits(max_states=5000, max_memory=1 << 30)
NONE = fairlead.Fairness.NONE
FAIR = tuple(notion for notion in CLASSIC if notion is not NONE)

Check = Callable[[Case, Random], int]


def check_seeds(check: Check, seeds: range, max_states: int) -> int:
    """How many answers were compared."""
    compared = 0
    for seed in seeds:
        text = random_model(seed)
        if seed % 3 == 0:
            text = annotated(text, Random(seed))
        case = small_case(seed, text, max_states)
        if case is not None:
            try:
                compared += check(case, Random(seed))
            except Exception as error:
                raise AssertionError(f"seed {seed}: {error}\n{case.text}") from error
    return compared


# ---------------------------------------------------------------- other names, another order


def sizes(model: fairlead.Model, process: str) -> tuple[int, ...]:
    graph = model.graph(process)
    steps = [step for steps in graph.transitions.values() for step in steps]
    events = {step.event for step in steps}
    owners = {step.processes for step in steps}
    return graph.state_count, len(graph.terminated), len(steps), len(events), len(owners)


def compare_texts(case: Case, other: Rewritten, random: Random) -> int:
    """States, transitions, events and processes are as many, and every question has the same answer."""
    model, same = fairlead.loads(case.text), fairlead.loads(other.text)
    assert sizes(model, "System()") == sizes(same, other.question("System()")), other.text
    asked = [(question, NONE) for question in questions_about_states()]
    asked += [(question, NONE) for question in refinement_questions(case, random, 2)]
    for formula in formulas(case, random, 4):
        asked += [(f"System() |= {formula}", notion) for notion in CLASSIC]
    for question, notion in asked:
        expected = answer(model, question, notion, LIMITS)
        found = answer(same, other.question(question), notion, LIMITS)
        assert agree(found, expected), f"{question} [{notion.value}]: {expected}, then {found}\n{other.text}"
    return len(asked)


def check_names(case: Case, random: Random) -> int:
    return compare_texts(case, renamed(case.text, random), random)


def check_order(case: Case, random: Random) -> int:
    return compare_texts(case, reordered(case.text, random), random)


# ---------------------------------------------------------------- a process that has nothing to do with it

#: always able to move, with names that no random model uses
SPARE = {
    "one event": "Spare() = spare -> Spare();",
    "two events": "Spare() = spare.0 -> spare.1 -> Spare();",
    "a variable": "var spareCount:{0..2}; Spare() = spare{spareCount = (spareCount + 1) % 3;} -> Spare();",
    "internal": "Spare() = tau -> Spare();",
}
ANOTHER = "Another() = another -> Another();"


def check_spare_process(case: Case, random: Random) -> int:
    """System() beside a process that can always move and shares nothing with it.

    Let S' be S with such a process U. A step of U changes no proposition of S, and no formula here names it;
    an execution of S' without its U-steps is an execution of S or the beginning of one. But S' never
    terminates, since processes terminate together. So it is S where S does not terminate that is compared:

    * *Reachability*, the optimum, determinism, divergence (if U is visible): the reachable states of S' are
      those of S with the states of U. Here S may terminate, which changes no variable and is the only step of
      its name, unless it does so in an atomic part: there `terminate` keeps others from moving, in S and not
      in S'.
    * *deadlockfree*, *nonterminating*: S' satisfies them, whatever S does.
    * *Formulas under no fairness*: every execution of S is one of S', with U moving only where S is stuck. So
      what holds of S' holds of S. Not the other way round: in S', U may move alone forever.
    * *Formulas under fairness*, if they are insensitive to steps without name (see `insensitive_formulas`):
      the same verdicts. A fair execution of S' cannot stay in a state of S that is not stuck: something of S
      would stay enabled and never be taken. What is enabled in S is enabled in S' at the same states, so its
      part in S is fair. Conversely, put steps of U into a fair execution of S wherever U can move (which it
      cannot while S is in an atomic part); for strong global fairness so many, and so irregularly, that every
      transition of S, which occurs infinitely often, meets every state of U. This needs the processes of S to
      be the same in S', and they are not where S becomes a composition after a first step: in S' it is one
      component.

    Annotations make no difference to this: what is ready or enabled of S is so in S' at the same states.
    One more process beside both systems sees to it that none terminates, and that processes are the same.
    """
    form = random.choice(list(SPARE))
    parts = ["System()", "Another()"]
    whole = [*parts, "Spare()"]
    random.shuffle(whole)
    added = f"{SPARE[form]}\n{ANOTHER}\nBase() = {' ||| '.join(parts)};\nMore() = {' ||| '.join(whole)};\n"
    model = fairlead.loads(f"{case.text}{added}Beside() = System() ||| Spare();\n")
    pairs = [("Base()", "More()")]
    if "terminate" not in case.labels or "atomic" not in case.text:
        pairs.append(("System()", "Beside()"))
    compared = sum(compare_states_beside(model, *pair, visible=form != "internal") for pair in pairs)
    if "terminate" in case.labels or not keeps_its_processes(case):
        pairs = pairs[:1]
    for formula in insensitive_formulas(case, random, 6):
        compared += sum(compare_formula_beside(model, *pair, formula) for pair in pairs)
    return compared


def compare_states_beside(model: fairlead.Model, alone: str, beside: str, visible: bool) -> int:
    questions = [question.removeprefix("System() ") for question in questions_about_states()]
    for question in questions:
        found = answer(model, f"{beside} {question}", NONE, LIMITS)
        if question in ("deadlockfree", "nonterminating"):
            assert found[0] in ("holds", "unknown"), question
        elif visible or question not in ("deterministic", "divergencefree"):
            expected = answer(model, f"{alone} {question}", NONE, LIMITS)
            assert agree(found, expected), f"{alone} {question}: {expected}, {beside}: {found}"
    return len(questions)


def compare_formula_beside(model: fairlead.Model, alone: str, beside: str, formula: str) -> int:
    for notion in FAIR:
        expected = answer(model, f"{alone} |= {formula}", notion, LIMITS)
        found = answer(model, f"{beside} |= {formula}", notion, LIMITS)
        assert agree(found, expected), f"{alone} |= {formula} [{notion.value}]: {expected}, {beside}: {found}"
    if answer(model, f"{beside} |= {formula}", NONE, LIMITS)[0] == "holds":
        assert answer(model, f"{alone} |= {formula}", NONE, LIMITS)[0] != "violated", formula
    return len(FAIR) + 1


def keeps_its_processes(case: Case) -> bool:
    """Whether the processes of System() are those of a composition that it is from the start, or only one."""
    kinds = syntax.Parallel | syntax.IndexedParallel | syntax.Replication
    for node in declarations_of(case.text):
        if (
            isinstance(node, syntax.ProcessDefinition)
            and node.name == "System"
            and isinstance(node.body, kinds)
        ):
            return True
    steps = [step for steps in case.graph.transitions.values() for step in steps]
    return {name for step in steps for name in step.processes} <= {"System()"}


def check_spare_process_in_refinement(case: Case, random: Random) -> int:
    """Refinement between processes that have the same process U beside them.

    U never terminates, so nobody does beside it. For processes that do not terminate anyway:

    * with the events of U hidden, the traces are those of before: the same verdict on traces. (Failures and
      divergences are not: a hidden U diverges.)
    * not hidden, U's events are interleaved at will, are offered in every state, and make no state unstable:
      the same verdict in all three models. An atomic part would keep U from moving, so there must be none.
    """
    calls = [call for call, events in processes(case).items() if "terminate" not in events]
    wrapped = [
        f"Hidden{number}() = ({call} ||| Spare()) \\ {{spare}};\nShown{number}() = Spare() ||| {call};\n"
        for number, call in enumerate(calls)
    ]
    model = fairlead.loads(case.text + SPARE["one event"] + "".join(wrapped))
    compared = 0
    for (i, one), (j, other) in product(enumerate(calls), repeat=2):
        forms = [(f"Hidden{i}()", "", f"Hidden{j}()")]
        if "atomic" not in case.text:
            forms += [(f"Shown{i}()", kind, f"Shown{j}()") for kind in REFINEMENTS]
        for left, kind, right in forms:
            expected = answer(model, f"{one} refines{kind} {other}", NONE, LIMITS)
            found = answer(model, f"{left} refines{kind} {right}", NONE, LIMITS)
            assert agree(found, expected), f"{one} refines{kind} {other}: {expected}, {left}: {found}"
        compared += len(forms)
    return compared


# ---------------------------------------------------------------- another way to the answer

QUESTIONS = (
    "deadlockfree",
    "nonterminating",
    "deterministic",
    "divergencefree",
    "reaches near",
    "reaches high",
)


def check_ways(case: Case, random: Random) -> int:
    """The network, the same searched in turns and under a limit, and two graphs: engine and reference."""
    if "= *" in case.text:  # a graph has one initial state; one more step leads to those of the network
        return 0
    model = fairlead.loads(case.text)
    graphs = [
        fairlead.loads(to_json(graph), "json") for graph in (case.graph, reference_graph(model, "System()"))
    ]
    asked = [(f"System() {question}", NONE) for question in QUESTIONS]
    for formula in formulas(case, random, 4):
        asked += [(f"System() |= {formula}", notion) for notion in CLASSIC]
    tight = replace(LIMITS, max_states=random.randint(1, case.graph.state_count + 1))
    for question, notion in asked:
        expected = answer(model, question, notion, LIMITS)
        found = [answer(graph, question, notion, LIMITS) for graph in graphs]
        assert found == [expected, expected], f"{question} [{notion.value}]: {expected}, graphs: {found}"
        with tuned(small_system=2, shortest_dive=random.choice([1, 5, 50])):
            found = [answer(model, question, notion, limit) for limit in (LIMITS, tight)]
        assert found[0] == expected, f"{question} [{notion.value}]: {expected}, in turns: {found[0]}"
        assert agree(found[1], expected), f"{question} [{notion.value}]: {expected}, {tight}: {found[1]}"
    return 4 * len(asked) + compare_refinement_of_graphs(case, model)


def compare_refinement_of_graphs(case: Case, model: fairlead.Model) -> int:
    """Refinement between processes, between their graphs, and between a process and a graph."""
    calls = [*processes(case)][-3:]
    graphs = {call: fairlead.loads(to_json(reference_graph(model, call)), "json") for call in calls}
    compared = 0
    for one, other, kind in product(calls, calls, fairlead.Refinement):
        expected = model.refines(other, kind, process=one).verdict
        found = (
            graphs[one].refines(graphs[other], kind).verdict,
            graphs[one].refines(model, kind, of=other).verdict,
            model.refines(graphs[other], kind, process=one).verdict,
        )
        assert found == (expected,) * 3, f"{one} {kind.word} {other}: {expected}, with graphs {found}"
        compared += len(found)
    return compared


# ---------------------------------------------------------------- the tests

#: what is compared, and with how many random models by default
CHECKS: dict[str, tuple[Check, int]] = {
    "names": (check_names, 32),
    "order": (check_order, 32),
    "beside another process": (check_spare_process, 24),
    "refinement beside another process": (check_spare_process_in_refinement, 40),
    "ways": (check_ways, 20),
}


@pytest.mark.sampled
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("name", CHECKS)
def test_random_models(name: str, chunk: int) -> None:
    check, count = CHECKS[name]
    seeds = some(range(FIRST_SEED, FIRST_SEED + count)[chunk::4])
    assert check_seeds(check, seeds, DEFAULT_STATES) > 20 or is_sample()


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(LONG_CHUNKS))
@pytest.mark.parametrize("name", CHECKS)
def test_many_random_models(name: str, chunk: int) -> None:
    seeds = range(FIRST_LONG_SEED, FIRST_LONG_SEED + LONG_SEEDS)[chunk::LONG_CHUNKS]
    assert check_seeds(CHECKS[name][0], seeds, LONG_STATES) > 50


# ---------------------------------------------------------------- models people wrote

FILES = sorted(
    path
    for path in [*ROOT.glob("examples/**/*.csp"), *ROOT.glob("bench/models/*.csp")]
    if not path.with_suffix(".py").exists()  # the names in there cannot be changed
)


@pytest.mark.parametrize("rewriting", [renamed, reordered])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_model_files(path: Path, rewriting: Callable[[str, Random], Rewritten]) -> None:
    """Every assertion of every file under every notion."""
    sizes = SIZES.get(path.stem, {})
    text = path.read_text(encoding="utf-8")
    other = rewriting(text, Random(path.stem))
    model = fairlead.loads(text, definitions=sizes)
    definitions = {other.question(name): size for name, size in sizes.items()}
    same = fairlead.loads(other.text, definitions=definitions)
    for question in [assertion.text for assertion in model.assertions]:
        notions = fairlead.Fairness if "|=" in question else [NONE]
        for notion in notions:
            expected = answer(model, question, notion, LIMITS)
            found = answer(same, other.question(question), notion, LIMITS)
            assert found == expected, f"{question} [{notion.value}]: {expected}, then {found}\n{other.text}"
            assert expected[0] in ("holds", "violated")


# ---------------------------------------------------------------- processes that come again

#: in each a process is named alike in two compositions that the system enters in turn, or it is not
TWICE = """
{variable}
System() = {first} interrupt (c -> Next());
Next() = {second} interrupt (c -> System());
W() = w -> Stop; V() = v -> Stop; U() = u -> Stop; X() = x -> Stop;
"""


def twice(first: str, second: str, variable: str = "") -> str:
    return TWICE.format(first=first, second=second, variable=variable)


def with_variable(name: str) -> str:
    return twice(f"([{name}] w -> Stop ||| X())", f"([{name}] v -> Stop ||| X())", f"var {name} = true;")


PAIRS = {
    "blanks": (
        twice("(w -> Stop ||| X())", "((w -> Stop ||| X()) \\ {w})"),
        twice("(w -> Stop ||| X())", "((w->Stop ||| X()) \\ {w})"),
    ),
    "a long name": (with_variable("flag"), with_variable("a" * 50)),
    "another index": (
        twice("(([] i:{0..0} @ w -> Stop) ||| X())", "((([] i:{0..0} @ w -> Stop) ||| X()) \\ {w})"),
        twice("(([] i:{0..0} @ w -> Stop) ||| X())", "((([] j:{0..0} @ w -> Stop) ||| X()) \\ {w})"),
    ),
    "the order of branches": (
        twice("((W() ||| V()) \\ {w} [] (W() ||| U()))", "((W() ||| X()) \\ {w})"),
        twice("((W() ||| U()) [] (W() ||| V()) \\ {w})", "((W() ||| X()) \\ {w})"),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_processes_that_come_again(name: str) -> None:
    """Which process is the same as an earlier one is no matter of spelling, nor of order."""
    one, other = (fairlead.loads(text) for text in PAIRS[name])
    for notion in CLASSIC:
        question = "System() |= []<> w"
        assert answer(one, question, notion, LIMITS) == answer(other, question, notion, LIMITS)
