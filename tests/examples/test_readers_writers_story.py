"""The examples of "Checking Progress with Action Priority: Is it Fair?" (1999), step by step as in the paper.

Where the paper prints a trace, ours is a shortest one; the terminal sets are the same. What it prints, and
its verdicts, are rows of `fairlead.papers`.
"""

from __future__ import annotations

from collections import Counter

import pytest

import fairlead
from fairlead.evidence.terminal import TerminalSetReached
from fairlead.papers import table
from tests.support.examples.loading import find_example

#: what LTSA is said to report
PRINTED = {
    row.question.text: row.published.ending
    for row in table("ltsa1999").rows
    if row.published is not None and row.published.ending is not None
}
#: progress properties that hold of every version of the lock
RELEASES = ("WREL.1", "WREL.2", "RREL.1", "RREL.2")


def load(name: str) -> fairlead.Model:
    return fairlead.load(find_example(f"{name}.lts"))


def holds(model: fairlead.Model, *questions: str) -> bool:
    return all(model.check(question).verdict is fairlead.Verdict.HOLDS for question in questions)


def violation(model: fairlead.Model, question: str) -> tuple[list[str], TerminalSetReached]:
    """The trace to the terminal set, and what is told about the set."""
    result = model.check(question)
    assert result.verdict is fairlead.Verdict.VIOLATED
    assert result.fairness is fairlead.Fairness.STRONG_GLOBAL
    assert result.evidence is not None
    explanation = result.evidence.explanation
    assert isinstance(explanation, TerminalSetReached)
    return [step.event for step in result.evidence.run.stem], explanation


def users(kind: str, *actions: str) -> set[str]:
    return {f"{kind}.{number}.{action}" for number in (1, 2) for action in actions}


# ---------------------------------------------------------------- section 2: a server and two clients


def test_both_clients_are_served() -> None:
    model = load("client_server")
    assert model.graph("GOOD").state_count == 3  # the graph of SERVER itself
    assert model.graph("SERVER").state_count == 3
    assert holds(model, "GOOD progress SERVE_A", "GOOD progress SERVE_B")


def test_a_client_that_crashes_is_not_served() -> None:
    model = load("client_server")
    trace, terminal = violation(model, "FAULTY progress SERVE_B")
    # printed: a.req, b.crash; the terminal set can be entered without the request
    assert trace == ["b.crash"]
    assert set(terminal.actions) == PRINTED["FAULTY progress SERVE_B"].actions
    assert terminal.states == 2
    assert holds(model, "FAULTY progress SERVE_A")


# ---------------------------------------------------------------- section 4: readers and writers


def test_the_lock_has_six_states_and_nobody_starves() -> None:
    model = load("readers_writers")
    assert model.graph("READERS_WRITERS").state_count == 6
    assert holds(model, "READERS_WRITERS progress WRITER", "READERS_WRITERS progress READER")


def test_the_lock_is_safe() -> None:
    assert holds(load("readers_writers"), "READERS_WRITERS safety")


def test_under_stress_writers_starve() -> None:
    model = load("readers_writers")
    trace, terminal = violation(model, "RW_PROGRESS progress WRITER")
    printed = PRINTED["RW_PROGRESS progress WRITER"]
    assert (tuple(trace), set(terminal.actions)) == (printed.trace, printed.actions)
    assert terminal.states == 3
    assert holds(model, "RW_PROGRESS progress READER")


def test_with_waiting_writers_readers_starve() -> None:
    model = load("readers_writers_waiting")
    trace, terminal = violation(model, "RW_PROGRESS progress READER")
    # printed: all four requests; the terminal set is entered with the first request of a writer
    assert Counter(trace) == Counter(["reader.1.request", "reader.2.request", "writer.1.request"])
    assert trace[-1] == "writer.1.request"
    assert set(terminal.actions) == PRINTED["RW_PROGRESS progress READER"].actions
    assert holds(model, "RW_PROGRESS progress WRITER")


def test_the_printed_trace_leads_into_the_same_set() -> None:
    """The trace of the paper with all four requests is a run of ours, and ends in a terminal set."""
    model = load("readers_writers_waiting")
    graph = model.graph("RW_PROGRESS")
    state = graph.initial
    printed = PRINTED["RW_PROGRESS progress READER"]
    for event in printed.trace:
        (state,) = {step.target for step in graph.steps(state) if step.event == event}
    reached, actions = [state], set()
    for place in reached:
        for step in graph.steps(place):
            actions.add(step.event)
            if step.target not in reached:
                reached.append(step.target)
    assert actions == printed.actions
    assert len(reached) == violation(model, "RW_PROGRESS progress READER")[1].states == 7


def test_without_stress_waiting_writers_do_no_harm() -> None:
    model = load("readers_writers_waiting")
    assert holds(model, "READERS_WRITERS progress WRITER", "READERS_WRITERS progress READER")


def test_with_a_turn_nobody_starves() -> None:
    model = load("readers_writers_turn")
    for target in ("READERS_WRITERS", "RW_PROGRESS"):
        assert holds(model, f"{target} progress WRITER", f"{target} progress READER", f"{target} safety")


def test_without_the_turn_both_sides_wait_for_each_other() -> None:
    text = (find_example("readers_writers_turn.lts")).read_text(encoding="utf-8")
    without = text.replace("(ww == 0 || readersturn)", "ww == 0").replace(
        "(wr == 0 || !readersturn)", "wr == 0"
    )
    assert len(text) - len(without) > 20
    assert fairlead.loads(without, "lts").check("READERS_WRITERS safety").reason == "deadlock"


@pytest.mark.parametrize("version", ["readers_writers", "readers_writers_waiting", "readers_writers_turn"])
@pytest.mark.parametrize("target", ["READERS_WRITERS", "RW_PROGRESS"])
def test_whoever_acquires_releases(version: str, target: str) -> None:
    assert holds(load(version), *(f"{target} progress {name}" for name in RELEASES))


# ---------------------------------------------------------------- the same with a Büchi automaton


def test_the_automaton_has_three_states_and_makes_eighteen() -> None:
    model = load("buechi")
    assert model.graph("NEVER_WRITES").state_count == 3
    assert model.graph("READERS_WRITERS").state_count == 6
    assert model.graph("PRODUCT").state_count == 18


def test_the_automaton_accepts_no_fair_run_of_the_lock() -> None:
    model = load("buechi")
    _, terminal = violation(model, "PRODUCT progress default")
    assert "@NEVER_WRITES" not in terminal.actions
    assert set(terminal.missing) == {"@NEVER_WRITES"}
    assert terminal.stated is not None
    assert terminal.stated.total == 1


def test_the_automaton_accepts_a_fair_run_under_stress() -> None:
    _, terminal = violation(load("buechi"), "STRESSED progress default")
    assert set(terminal.actions) == users("reader", "acquire", "release") | {"@NEVER_WRITES"}
    assert terminal.states == 3


@pytest.mark.parametrize(("target", "expected"), [("READERS_WRITERS", True), ("RW_PROGRESS", False)])
def test_formulas_say_the_same(target: str, expected: bool) -> None:
    """`progress WRITER` is `[]<>` of its actions under fair choice."""
    model = load("readers_writers")
    question = model.formula("[]<>{writer[1..2].acquire}", target)
    assert bool(model.check(question, "sgf")) is expected
