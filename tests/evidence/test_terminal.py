"""Runs that violate progress are judged again: false ones are found out, large terminal sets seen in part."""

from __future__ import annotations

from dataclasses import replace

from fairlead.evidence.terminal import EndsInTerminalSet
from fairlead.evidence.validate import problem_with
from fairlead.model.assertion import ProgressAssertion
from fairlead.model.run import Run
from fairlead.search.progress import check_progress
from fairlead.search.target import Target
from tests.support.asking.progress import CLIENTS, all_of, aut, explained, graph_target, one_of
from tests.support.tuning import Tune


def forged(target: Target, assertion: ProgressAssertion, **said: object) -> str | None:
    finding = check_progress(target, one_of("b.reply"))
    assert finding.run is not None and finding.terminal is not None
    stated = replace(finding.terminal, **said)  # type: ignore[arg-type]
    return problem_with(target.system, finding.run, EndsInTerminalSet(assertion, stated))


def test_false_statements_are_found() -> None:
    target = graph_target(CLIENTS)
    honest = one_of("b.reply")
    assert forged(target, honest) is None
    assert forged(target, honest, states=3) == "the terminal set has other actions or states than stated"
    assert forged(target, honest, actions=("a.req",)) is not None
    assert forged(target, honest, missing=("b.req",)) is not None
    assert forged(target, one_of("a.req")) == "the terminal set does not violate the test"
    assert forged(target, one_of("b.reply", "b.req")) == "the terminal set does not violate the test"
    (start,) = target.system.initial_states()
    first, second = target.system.steps(start)[0], None
    second = next(step for step in target.system.steps(first.target) if step.target == start)
    loop = Run(start, (), (first, second))
    problem = problem_with(target.system, loop, EndsInTerminalSet(honest))
    assert problem is not None and problem.startswith("the run does not end in a terminal set")
    assert problem_with(target.system, Run(start, ()), EndsInTerminalSet(honest)) == "the run has no loop"


RING = aut(", ".join(f"{i} {'x' if i == 9 else 'a'} {(i + 1) % 20}" for i in range(20)))


def test_large_terminal_sets_are_looked_at_in_part(tune: Tune) -> None:
    tune(judged_terminal_states=5)
    target = graph_target(RING)
    lines, data = explained(target, one_of("b"))
    assert (data["states"], data["looked_at"], data["actions"]) == (20, 5, ["a", "x"])
    assert "(5 of them were explored again)" in lines[1]
    finding = check_progress(target, one_of("b"))
    assert finding.run is not None and finding.terminal is not None

    def problem(assertion: ProgressAssertion, **said: object) -> str | None:
        assert finding.run is not None and finding.terminal is not None
        stated = replace(finding.terminal, **said) if said else None  # type: ignore[arg-type]
        return problem_with(target.system, finding.run, EndsInTerminalSet(assertion, stated))

    assert problem(one_of("a")) is not None
    assert problem(one_of("x")) is None  # not seen, so not refuted
    assert problem(one_of("x"), states=20) is not None  # but what is said does
    assert problem(one_of("b", "x")) is None
    assert problem(one_of("a b", "a")) is not None
    assert problem(one_of("b", "c"), states=20) is not None
    assert problem(one_of("b"), states=4) is not None
    assert problem(one_of("b"), actions=("x",)) is not None
    assert problem(all_of("a")) is not None
    assert problem(all_of("a x")) is None
