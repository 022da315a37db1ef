"""Coverage: counts against texts that watch themselves, dead code of each kind, what can be cut out."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

import fairlead
from fairlead.base import allowance
from fairlead.base.diagnostics import InputError
from fairlead.base.source import Source
from fairlead.lang.fsp.parse import parse
from fairlead.lang.fsp.syntax import Choice, Continue, ProcessDefinition
from fairlead.model.network import Network
from fairlead.model.semantics import NetworkSystem
from fairlead.model.system import State
from fairlead.model.tree import Configuration
from fairlead.outcome.coverage import Coverage
from fairlead.outcome.events import Phase, Progress
from tests.support.generators.covered_models import random_covered_model
from tests.support.generators.csp_models import random_model
from tests.support.generators.fsp_models import random_system
from tests.support.places import EXAMPLES


def network_of(text: str, process: str = "System()") -> Network:
    found = fairlead.loads(text, "csp")._loaded.system(process)
    assert isinstance(found, Network)
    return found


def counts(coverage: Coverage) -> dict[str, int]:
    """The counts by the text of the place; those of a missing branch by its kind."""
    return {
        f"{place.kind.value} {place.span.text or place.span.line}": place.count for place in coverage.places
    }


def uncovered(coverage: Coverage) -> list[str]:
    return [place.span.text or place.kind.value for place in coverage.uncovered]


# ---------------------------------------------------------------- the twin


def brute_force(text: str, limit: int) -> tuple[int, Counter[int]] | None:
    """Transitions of a text that watches itself, and how many of them set each variable; by steps alone."""
    network = network_of(text)
    (hits,) = [variable for variable in network.variables if variable.name == "hit"]
    watching = range(hits.slot, hits.slot + hits.size)
    system = NetworkSystem(network)

    def forgotten(state: State) -> Configuration:
        assert isinstance(state, Configuration)
        values = [0 if slot in watching else value for slot, value in enumerate(state.values)]
        return Configuration(tuple(values), state.tree)

    queue = list(dict.fromkeys(map(forgotten, system.initial_states())))
    found: dict[object, set[int]] = {}
    for state in queue:
        if len(queue) > limit:
            return None
        for step in system.steps(state):
            assert isinstance(step.target, Configuration)
            after = forgotten(step.target)
            event = "τ" if step.event.startswith("τ") else step.event
            hit = {slot - hits.slot for slot in watching if step.target.values[slot]}
            found.setdefault((state, event, step.processes, after), set()).update(hit)
            if after not in queue:
                queue.append(after)
    return len(found), Counter(place for hit in found.values() for place in hit)


@pytest.mark.parametrize("chunk", range(6))
def test_counts_are_those_of_a_text_that_watches_itself(chunk: int) -> None:
    compared = executed = 0
    for seed in range(chunk * 25, chunk * 25 + 25):
        texts = random_covered_model(seed)
        expected = brute_force(texts.watched, 400)
        if expected is None:
            continue
        coverage = fairlead.loads(texts.plain, "csp").coverage("System()")
        found = {(place.kind.value, place.span.start): place.count for place in coverage.places}
        wanted = {key: expected[1][number] for number, key in enumerate(texts.places)}
        assert found == wanted, (seed, texts.plain)
        assert coverage.transitions == expected[0], (seed, texts.plain)
        compared += 1
        executed += sum(count > 0 for count in found.values())
    assert compared > 10
    assert executed > 50


# ---------------------------------------------------------------- random models of the whole language


def explored(text: str) -> Coverage | None:
    """The coverage of a random model, if it is small and nothing is wrong with it."""
    try:
        coverage = fairlead.loads(text, "csp").coverage("System()", limits=fairlead.Limits(max_states=150))
    except (InputError, fairlead.LimitReached):
        return None
    return coverage if coverage.complete and not coverage.failures else None


@pytest.mark.parametrize("chunk", range(4))
def test_states_and_transitions_are_those_of_the_engine(chunk: int) -> None:
    compared = 0
    for seed in range(chunk * 30, chunk * 30 + 30):
        text = random_model(seed)
        coverage = explored(text)
        if coverage is not None and len(network_of(text).initial_values) == 1:
            try:
                graph = fairlead.loads(text, "csp").graph("System()")
            except InputError:
                continue  # a proposition of the model fails
            assert coverage.states == graph.state_count, seed
            assert coverage.transitions == sum(map(len, graph.transitions.values())), seed
            assert coverage.transitions == sum(coverage.events.values()), seed
            assert all(place.count <= coverage.transitions for place in coverage.places), seed
            compared += 1
    assert compared > 5


@pytest.mark.parametrize("chunk", range(4))
def test_what_is_never_executed_can_be_cut_out_and_nothing_else(chunk: int) -> None:
    """An event that becomes one that nothing enables: the system is the same iff it was never executed."""
    cut = kept = 0
    for seed in range(chunk * 20, chunk * 20 + 20):
        texts = random_covered_model(seed)
        coverage = explored(texts.plain)
        if coverage is None:
            continue
        for place in coverage.places:
            if place.kind.value != "event":
                continue
            start = place.span.start
            blocked = explored(f"{texts.plain[:start]}[false] {texts.plain[start:]}")
            assert blocked is not None
            same = (blocked.states, blocked.transitions) == (coverage.states, coverage.transitions)
            assert same == (place.count == 0), (seed, texts.plain, place)
            cut += same
            kept += not same
    assert cut > 5
    assert kept > 20


# ---------------------------------------------------------------- dead code of each kind

DEAD = """
var x = 0;
#define act {x = 1; if (x > 5) {x = 9;}};
P() = [x == 0] a{act;} -> b{if (x == 1) {x = 0;} else {x = 7;}} -> P()
   [] [x > 3] over -> P()
   [] d{while (x > 1) {x = x - 1;}} -> Q();
Q() = if (x > 4) { lost -> Stop } else { back -> P() };
R() = (c -> P() <> e -> R()) [] P();
Idle() = never -> Idle();
System() = P();
"""


def test_dead_code_in_csp() -> None:
    coverage = fairlead.loads(DEAD, "csp").coverage("System()")
    assert uncovered(coverage) == [
        "x = 9;",
        "x = 7;",
        "x > 3",
        "over",
        "x = x - 1;",
        "lost -> Stop",
        "lost",
        "c -> P() <> e -> R()",
        "c -> P()",
        "c",
        "e -> R()",
        "e",
        "P()",
        "never",
    ]
    by_name = {
        definition.name: (definition.covered, len(definition.places)) for definition in coverage.definitions
    }
    assert by_name["Idle()"] == (0, 1)
    assert by_name["System()"] == (0, 0)
    found = counts(coverage)
    assert (found["event a"], found["event b"], found["event d"], found["event back"]) == (1, 1, 1, 1)
    assert found["statement act;"] == found["statement x = 1;"] == 1


def test_an_else_that_is_not_written_is_a_branch() -> None:
    text = "var x = 0; P() = if (true) { a{if (x == 0) {x = 0;}} -> P() }; System() = P();"
    coverage = fairlead.loads(text, "csp").coverage("System()")
    assert [place.kind.value for place in coverage.uncovered] == ["missing branch", "missing branch"]


def test_one_transition_counts_once_for_each_place() -> None:
    """A loop in a program, and two ways to one transition."""
    text = "var x = 3; P() = a{while (x > 0) {x = x - 1;}} -> Stop [] a{x = 0;} -> Stop;"
    coverage = fairlead.loads(text, "csp").coverage("P()")
    assert coverage.transitions == 1
    assert {place.count for place in coverage.places} == {1}


def test_a_synchronisation_executes_the_events_of_all() -> None:
    text = "P() = a -> b -> P(); Q() = a -> c -> Q() [] b -> Q(); System() = P() || Q();"
    coverage = fairlead.loads(text, "csp").coverage("System()")
    # a joins both, then c of Q, then b joins both
    assert [(place.span.text, place.count) for place in coverage.places] == [
        ("a", 1), ("b", 1), ("a", 1), ("c", 1), ("b", 1)
    ]  # fmt: skip


def test_branches_that_are_calls_and_cases() -> None:
    text = """
var x = 0;
P() = A() [] B();
A() = a{x = 1;} -> C();
B() = [x == 2] b -> P();
C() = case { x == 2: two -> C()  x == 1: one{x = 3;} -> C()  default: other -> Stop };
System() = P();
"""
    assert uncovered(fairlead.loads(text, "csp").coverage("System()")) == [
        "B()",
        "x == 2",
        "b",
        "two -> C()",
        "two",
    ]


def test_branches_of_compositions_are_not_counted() -> None:
    text = "var x = 0; P() = [x == 0] (a -> Skip ||| b -> Skip) [] c -> Skip; System() = P();"
    (definition, _) = fairlead.loads(text, "csp").coverage("System()").definitions
    assert [(place.span.text, place.count) for place in definition.places] == [("a", 2), ("b", 2), ("c", 1)]
    assert definition.uncounted == 1


def test_joint_termination_executes_what_ends() -> None:
    text = "var x = 0; P() = assert(x == 0) ||| Skip;"
    (place,) = fairlead.loads(text, "csp").coverage("P()").places
    assert (place.span.text, place.count) == ("x == 0", 1)


def test_included_texts_are_told_apart(tmp_path: Path) -> None:
    """Places at the same offset of two files are different places."""
    (tmp_path / "other.csp").write_text("B() = no -> B();\n", encoding="utf-8")
    main = tmp_path / "main.csp"
    main.write_text('A() = ye -> A();\n#include "other.csp";\n#assert A() deadlockfree;\n', encoding="utf-8")
    coverage = fairlead.load(main).coverage()
    assert {place.span.text: place.count for place in coverage.places} == {"ye": 1, "no": 0}


# ---------------------------------------------------------------- FSP

COUNT = """
COUNT(N=3) = C[0],
C[i:0..N] = (when (i < N) inc -> C[i+1] | when (i > N) over -> C[0] | when (i == N) reset -> pause -> C[0]).
USER = (inc -> USER | {reset, cancel} -> USER | quit -> END).
BLOCK = STOP + {quit}.
||S = (COUNT(3) || USER || BLOCK).
||T = (a:COUNT(1) || b:COUNT(1)) / {go/a.inc, go/b.inc}.
"""


def test_dead_alternatives_in_fsp() -> None:
    coverage = fairlead.loads(COUNT, "lts").coverage("S")
    assert uncovered(coverage) == ["over", "quit"]
    assert counts(coverage)["event reset"] == 1
    assert counts(coverage)["event inc"] == 3


def test_both_places_of_a_shared_action_and_all_instances() -> None:
    """Two counters in step: go, then two resets and two pauses in any order that the counters allow."""
    coverage = fairlead.loads(COUNT, "lts").coverage("T")
    first = coverage.definitions[0]
    # go is one transition, and each counter's other two are in three states of the other
    assert {place.span.text: place.count for place in first.places} == {
        "inc": 1, "over": 0, "reset": 6, "pause": 6
    }  # fmt: skip


def test_minimal_processes_cannot_be_counted() -> None:
    text = "minimal P = (a -> b -> P). Q = (a -> Q). ||S = (P || Q)."
    minimal, plain = fairlead.loads(text, "lts").coverage("S").definitions
    assert (minimal.places, minimal.uncounted) == ((), 2)
    assert [place.count for place in plain.places] == [1]


def fails(text: str, process: str) -> bool:
    network = fairlead.loads(text, "lts")._loaded.system(process)
    assert isinstance(network, Network)
    system = NetworkSystem(network)
    queue = list(system.initial_states())
    known = set(queue)
    for state in queue:
        fresh = {step.target for step in system.steps(state)} - known
        if any(system.failed_process(target) for target in fresh):
            return True
        known |= fresh
        queue += [target for target in fresh if isinstance(target, Configuration)]
    return False


@pytest.mark.parametrize("chunk", range(4))
def test_an_action_is_executed_iff_an_error_behind_it_is_reached(chunk: int) -> None:
    """What follows the last action of an alternative becomes ERROR, which is reached iff that is executed."""
    reached = missed = 0
    for seed in range(chunk * 40, chunk * 40 + 40):
        text = "\n".join(random_system(seed))
        try:
            model = fairlead.loads(text, "lts")
            process = model._loaded.targets[0]  # type: ignore[attr-defined]
            coverage = model.coverage(process, limits=fairlead.Limits(max_states=200))
            if not coverage.complete or fails(text, process):
                continue
        except (InputError, fairlead.LimitReached):
            continue
        known = {place.span.key[1:]: place.count for place in coverage.places}
        for action, target in last_actions(text):
            if action not in known:
                continue
            changed = f"{text[: target[0]]}ERROR{text[target[1] :]}"
            try:
                found = fails(changed, process)
            except (InputError, fairlead.LimitReached):
                continue
            assert found == (known[action] > 0), (seed, text, action)
            reached += found
            missed += not found
    assert reached > 20
    assert missed > 5


def last_actions(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The last action of each alternative that continues as another process, and what it continues as."""
    found = []
    for definition in parse(Source("random", text)):
        if not isinstance(definition, ProcessDefinition):
            continue
        pending = [local.body for local in definition.locals]
        for body in pending:
            if isinstance(body, Choice):
                for branch in body.branches:
                    target = branch.target
                    if isinstance(target, Continue) and not target.before:
                        span = branch.labels[-1].span
                        found.append(((span.start, span.end), (target.span.start, target.span.end)))
                    pending.append(target)
    return found


# ---------------------------------------------------------------- graphs, limits, failures


def test_graphs_count_events() -> None:
    graph = 'des (0, 4, 4)\n(0, "a", 1)\n(1, "a", 0)\n(1, "b", 1)\n(3, "c", 0)\n'
    coverage = fairlead.loads(graph, "aut").coverage()
    assert coverage.definitions == ()
    assert dict(coverage.events) == {"a": 2, "b": 1}
    assert (coverage.states, coverage.transitions) == (2, 3)


ENDLESS = "var x = 0; P() = up{x = x + 1;} -> P() [] [x > 50] late -> P(); #assert P() deadlockfree;"


def test_coverage_so_far() -> None:
    model = fairlead.loads(ENDLESS, "csp")
    early = model.coverage(limits=fairlead.Limits(max_states=20))
    assert (early.states, early.stopped, early.complete) == (20, "max-states", False)
    assert uncovered(early) == ["x > 50", "late"]
    later = model.coverage(limits=fairlead.Limits(max_states=60))
    assert uncovered(later) == []
    assert model.coverage(limits=fairlead.Limits(timeout=0.0)).stopped == "timeout"


def test_a_limit_of_memory_stops_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    used = itertools.count(0, 1 << 30)
    monkeypatch.setattr(allowance, "resident_memory", lambda: next(used))
    coverage = fairlead.loads(ENDLESS, "csp").coverage(limits=fairlead.Limits(max_memory=1 << 20))
    assert coverage.stopped == "max-memory"


def test_without_limits_it_stops_at_some_states() -> None:
    coverage = fairlead.loads("var x = 0; P() = up{x = x + 1;} -> P();", "csp").coverage("P()")
    assert (coverage.states, coverage.stopped) == (20_000, "max-states")


def test_processes_are_counted_together() -> None:
    text = "A() = a -> B(); B() = b -> B(); #assert A() deadlockfree; #assert B() deadlockfree;"
    model = fairlead.loads(text, "csp")
    coverage = model.coverage()
    assert coverage.processes == ("A()", "B()")
    assert counts(coverage) == {"event a": 1, "event b": 2}
    assert counts(model.coverage("B()")) == {"event a": 0, "event b": 1}
    assert counts(model.coverage(["B()", "B()"])) == {"event a": 0, "event b": 1}


def test_the_specification_of_a_refinement_is_asked_about() -> None:
    text = "A() = a -> A(); S() = a -> S() [] b -> S(); #assert A() refines S();"
    assert fairlead.loads(text, "csp").coverage().processes == ("A()", "S()")


def test_steps_that_fail_are_not_counted() -> None:
    text = "var x:{0..2} = 0; P() = up{x = x + 1;} -> P() [] back{x = 0;} -> P();"
    coverage = fairlead.loads(text, "csp").coverage("P()")
    assert counts(coverage)["event up"] == 2
    assert counts(coverage)["event back"] == 3
    assert [problem.code.value for problem in coverage.failures] == ["value-out-of-range"]


def test_any_number_of_processes_cannot_be_explored() -> None:
    with pytest.raises(InputError, match="unboundedly many"):
        fairlead.loads("P() = a -> P(); System() = |||{..} @ P();", "csp").coverage("System()")


def test_an_unknown_process_is_refused() -> None:
    with pytest.raises(InputError, match="Nobody"):
        fairlead.loads(ENDLESS, "csp").coverage("Nobody()")


def test_the_reporter_hears_of_it() -> None:
    heard: list[Progress] = []
    fairlead.loads(ENDLESS, "csp").coverage(limits=fairlead.Limits(max_states=600), reporter=heard.append)
    assert [one.states for one in heard] == [0, 256, 512]
    assert {one.phase for one in heard} == {Phase.COVERAGE}


def test_examples_are_covered() -> None:
    """Most of what the examples say can happen."""
    coverage = fairlead.load(EXAMPLES / "mutual_exclusion" / "peterson.csp").coverage()
    assert coverage.complete
    assert uncovered(coverage) == ["k < N - 1", "pass.i.k"]  # there are two processes
