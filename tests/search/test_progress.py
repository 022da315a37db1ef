"""Progress: models known from the literature, and random ones against the definitions and LTL."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import fairlead
from fairlead.evidence.terminal import EndsInTerminalSet
from fairlead.evidence.validate import problem_with, validate
from fairlead.lang.explicit.write import to_json
from fairlead.model.assertion import AllProgress, ProgressAssertion, Progresses
from fairlead.model.labels import is_internal
from fairlead.model.run import Run
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Limits
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import check_ltl
from fairlead.search.progress import check_progress, progress_formula, progress_question
from fairlead.search.target import Target, target_of
from tests.support.asking.progress import CLIENTS, all_of, aut, explained, graph_target, one_of
from tests.support.generators.csp_models import random_model
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.progress import (
    EVENTS,
    cycle_length,
    nearest_distance,
    random_terminal_graph,
    terminal_sets,
)
from tests.support.tuning import Tune

CHUNKS = 10


def events(run: Run | None) -> tuple[list[str], list[str]]:
    assert run is not None
    return [step.event for step in run.stem], [step.event for step in run.loop]


# ---------------------------------------------------------------- known models

#: readers have priority: the lock never becomes free again once both readers take turns
READERS = aut(
    "0 writer.1.acquire 1, 1 writer.1.release 0, 0 reader.1.acquire 2, 2 reader.2.acquire 3,"
    "3 reader.1.release 4, 3 reader.2.release 2, 4 reader.1.acquire 3"
)


def test_a_client_that_may_crash() -> None:
    target = graph_target(CLIENTS)
    assert check_progress(target, one_of("a.reply")).verdict is fairlead.Verdict.HOLDS
    finding = check_progress(target, one_of("b.reply", name="SERVE_B"))
    assert finding.verdict is fairlead.Verdict.VIOLATED
    assert events(finding.run) == (["b.crash"], ["a.req", "a.reply"])
    assert finding.terminal is not None
    assert (finding.terminal.actions, finding.terminal.missing) == (("a.reply", "a.req"), ("b.reply",))
    assert (finding.terminal.states, finding.terminal.violating, finding.terminal.total) == (2, 1, 1)


def test_conditional_progress() -> None:
    target = graph_target(CLIENTS)
    assert check_progress(target, one_of("b.reply", "b.req")).verdict is fairlead.Verdict.HOLDS
    assert check_progress(target, one_of("b.reply", "b.req a.req")).verdict is fairlead.Verdict.VIOLATED
    assert check_progress(target, one_of("a.reply", "a.req")).verdict is fairlead.Verdict.HOLDS
    lines, data = explained(target, one_of("b.reply b.req", "a.req"))
    assert lines[-1] == "although it keeps doing: a.req"
    assert data["condition"] == ["a.req"]


def test_what_is_told_about_starving_writers() -> None:
    lines, data = explained(graph_target(READERS), one_of("writer.1.acquire writer.2.acquire", name="WRITER"))
    assert lines == [
        "progress violation: WRITER",
        "the run ends in a terminal set of 3 states, which the system never leaves",
        "once there, the system can do only: reader[1..2].{acquire,release}",
        "and never again any of: writer[1..2].acquire",
    ]
    assert data == {
        "kind": "terminal-set",
        "test": "WRITER",
        "ending": "goes-on",
        "actions": ["reader.1.acquire", "reader.1.release", "reader.2.acquire", "reader.2.release"],
        "missing": ["writer.1.acquire", "writer.2.acquire"],
        "states": 3,
        "looked_at": 3,
        "violating_sets": 1,
        "terminal_sets": 1,
    }


def test_every_action_of_the_alphabet() -> None:
    target = graph_target(CLIENTS)
    finding = check_progress(target, all_of("a.req a.reply b.req b.reply b.crash"))
    assert finding.terminal is not None
    assert finding.terminal.missing == ("b.crash", "b.reply", "b.req")
    assert check_progress(target, all_of("a.req a.reply")).verdict is fairlead.Verdict.HOLDS
    assert check_progress(target, all_of("")).verdict is fairlead.Verdict.HOLDS
    lines, data = explained(target, all_of("a.req extra"))
    assert lines[0] == "progress violation: not every action can occur infinitely often"
    assert lines[-1] == "and never again: extra"
    assert data["test"] is None


def test_dead_states() -> None:
    target = graph_target(aut("0 a 0, 0 b 1, 0 c 2, 2 b 3"))
    assert events(check_progress(target, one_of("a")).run) == (["b"], ["(idle)"])
    lines, data = explained(target, one_of("a c"))
    assert lines[1:] == [
        "the system stops there: no step is possible",
        "and never again any of: a, c",
        "(all 2 terminal sets violate it; this is the nearest)",
    ]
    assert (data["ending"], data["actions"], data["states"]) == ("stops", [], 1)
    assert check_progress(target, one_of("a", "b")).verdict is fairlead.Verdict.HOLDS


def test_termination_and_internal_steps() -> None:
    model = fairlead.loads("P() = a -> Skip; Q() = a -> R(); R() = tau -> R();")
    result = model.check(replace(one_of("a"), process="P()"))
    assert result.fairness is fairlead.Fairness.STRONG_GLOBAL
    assert "the system has terminated there: no step is possible" in str(result)
    shown_text = str(model.check(replace(one_of("a"), process="Q()")))
    assert "once there, the system can do only: internal steps" in shown_text
    assert "a cycle in the terminal set:" in shown_text
    assert "fair (" not in shown_text


def test_without_actions() -> None:
    target = graph_target(aut("0 a 0"))
    lines, _ = explained(target, one_of(""))
    assert lines[-1] == "and the test names no action"
    assert check_progress(target, one_of("", "")).verdict is fairlead.Verdict.HOLDS
    assert check_progress(target, one_of("", "b")).verdict is fairlead.Verdict.HOLDS


class FailingSystem:
    """A graph in which a process has gone wrong in one state."""

    def __init__(self, target: Target) -> None:
        self._system = target.system

    def __getattr__(self, name: str) -> object:
        return getattr(self._system, name)

    def failed_process(self, state: object) -> str | None:
        return "SAFE" if state == 1 else None


def test_an_error_state() -> None:
    target = graph_target(aut("0 a 0, 0 b 1"))
    finding = check_progress(target, one_of("a"))
    assert finding.run is not None
    claim = EndsInTerminalSet(one_of("a"), finding.terminal)
    explanation = validate(FailingSystem(target), finding.run, claim)  # type: ignore[arg-type]
    assert explanation is not None
    assert list(explanation.lines())[1].startswith("a safety violation occurs there: SAFE is in ERROR")
    assert (explanation.to_json()["ending"], explanation.blames) == ("error", "SAFE")


def test_formula() -> None:
    assert str(progress_formula(one_of("b a").test)) == '[]<>"actions"'
    assert str(progress_formula(one_of("a", "c").test)) == '[]<>"condition" -> []<>"actions"'


# ---------------------------------------------------------------- random graphs


def random_tests(rng: Random, labels: list[str]) -> list[ProgressAssertion]:
    def some(least: int) -> str:
        return " ".join(rng.sample(labels, min(len(labels), rng.choice([least, 1, 1, 2, 3]))))

    found: list[ProgressAssertion] = [one_of(some(0)), one_of(some(1)), one_of(some(1), some(0))]
    return [*found, one_of(some(1), some(1)), all_of(some(0)), all_of(" ".join(labels[:-1]))]


def compare(graph: Graph, target: Target, assertion: ProgressAssertion) -> Finding:
    """One test against the definition; the run and the terminal set it ends in are judged as well."""
    sets = terminal_sets(graph)
    violating = [found for found in sets if assertion.is_violated_in(found.actions)]
    finding = check_progress(target, assertion)
    assert (finding.verdict is fairlead.Verdict.VIOLATED) == bool(violating)
    if not violating:
        assert (finding.verdict, finding.run, finding.terminal) == (fairlead.Verdict.HOLDS, None, None)
        return finding
    run, stated = finding.run, finding.terminal
    assert run is not None and stated is not None
    assert len(run.stem) == nearest_distance(graph, violating)
    assert isinstance(run.loop_start, int)
    (ends_in,) = [found for found in violating if run.loop_start in found.states]
    assert len(run.loop) == cycle_length(graph, run.loop_start)
    assert (stated.actions, stated.states) == (tuple(sorted(ends_in.actions)), len(ends_in.states))
    assert (stated.violating, stated.total) == (len(violating), len(sets))
    assert problem_with(target.system, run, EndsInTerminalSet(assertion, stated)) is None
    return finding


def compare_with_formula(target: Target, assertion: ProgressAssertion) -> None:
    tests = [one_of(action) for action in sorted(getattr(assertion, "alphabet", ()))] or [assertion]
    if isinstance(assertion, AllProgress) and not assertion.alphabet:
        return
    verdicts = [
        check_ltl(target, progress_question(one.test), FairnessAsked(fairlead.Fairness.STRONG_GLOBAL)).verdict
        for one in tests
        if isinstance(one, Progresses)
    ]
    holds = all(verdict is fairlead.Verdict.HOLDS for verdict in verdicts)
    assert holds == (check_progress(target, assertion).verdict is fairlead.Verdict.HOLDS), assertion


def check_graph(seed: int) -> None:
    rng = Random(seed)
    graph = random_terminal_graph(rng)
    target = graph_target(graph.to_json(), "json")
    for assertion in random_tests(rng, [*EVENTS, "never"]):
        compare(graph, target, assertion)
        compare_with_formula(target, assertion)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_graphs(chunk: int) -> None:
    for seed in range(chunk, 300, CHUNKS):
        check_graph(seed)


def check_sets(seed: int, max_states: int = 8) -> None:
    """All terminal sets, by a test that each of them violates, and by one for each action."""
    graph = random_terminal_graph(Random(seed), max_states)
    target = graph_target(graph.to_json(), "json")
    for actions in ("", *EVENTS):
        compare(graph, target, one_of(actions))


@pytest.mark.parametrize("patience", range(4))
def test_searches_that_take_short_cuts(tune: Tune, patience: int) -> None:
    tune(terminal_patience=patience)
    for seed in range(1000, 1100):
        check_sets(seed)


@pytest.mark.parametrize("patience", [3, 20, 1000])
def test_larger_random_graphs(tune: Tune, patience: int) -> None:
    tune(terminal_patience=patience)
    for seed in range(25):
        check_sets(seed, 60)


@pytest.mark.long
@pytest.mark.parametrize("patience", range(6))
def test_many_searches_that_take_short_cuts(tune: Tune, patience: int) -> None:
    tune(terminal_patience=patience)
    for seed in range(20_000, 30_000):
        check_sets(seed)
    for seed in range(1000):
        check_sets(seed, 40)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_graphs(chunk: int) -> None:
    for seed in range(10_000 + chunk, 16_000, CHUNKS):
        check_graph(seed)


def test_random_graphs_are_of_many_kinds() -> None:
    counts = [len(terminal_sets(random_terminal_graph(Random(seed)))) for seed in range(300)]
    assert min(counts) == 1 and max(counts) >= 4


# ---------------------------------------------------------------- networks


def explicit(model: fairlead.Model) -> Graph | None:
    """The graph of a small model, for the oracle; the engine's numbers are those of the graph."""
    try:
        found = model.graph("System()", limits=fairlead.Limits(max_states=120))
    except fairlead.FairleadError:
        return None
    steps = [
        Step(source, "tau" if is_internal(step.event) else step.event, int(str(step.target)), step.processes)
        for source, listed in found.transitions.items()
        for step in listed
    ]
    return Graph(found.state_count, found.initial, tuple(steps), {})


def check_model(seed: int) -> bool:
    """Whether a random model is small enough to be compared, and gives the right answers."""
    text = random_model(seed)
    model = fairlead.loads(text)
    graph = None if "= *;" in text else explicit(model)  # several initial states: the graph has one more
    if graph is None:
        return False
    rng = Random(seed)
    target = target_of(model._loaded.system("System()"), Limits())
    plain = graph_target(to_json(model.graph("System()")), "json")
    labels = sorted({step.event for step in graph.transitions if step.event not in (None, "tau")})
    for assertion in random_tests(rng, [*map(str, labels), "never"]):
        own = replace(assertion, process="System()")
        sets = terminal_sets(graph)
        violating = [found for found in sets if own.is_violated_in(found.actions)]
        result = model.check(own)
        assert bool(result) == (not violating), f"{own}\n{text}"
        finding = check_progress(target, own)
        if violating:
            assert finding.run is not None and finding.terminal is not None
            assert len(finding.run.stem) == nearest_distance(graph, violating)
            assert (finding.terminal.violating, finding.terminal.total) == (len(violating), len(sets))
        compare_with_formula(plain, own)
        if not target.system.annotation_kinds:
            compare_with_formula(target, own)
    return True


@pytest.mark.parametrize("chunk", range(4))
def test_random_models(chunk: int) -> None:
    assert sum(check_model(seed) for seed in range(chunk, 40, 4)) > 3


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_random_models(chunk: int) -> None:
    assert sum(check_model(seed) for seed in range(1000 + chunk, 1600, CHUNKS)) > 20


def test_several_initial_states() -> None:
    model = fairlead.loads("var x:{0..2} = *; P() = [x == 2] a -> P() [] [x < 2] b{x = 1 - x;} -> P();")
    result = model.check(replace(one_of("a"), process="P()"))
    assert result.evidence is not None and not result.evidence.run.stem
    assert result.evidence.explanation is not None
    data = result.evidence.explanation.to_json()
    assert (data["violating_sets"], data["terminal_sets"], data["states"]) == (1, 2, 2)
