"""Symbolic search: limits, interruptions, large numbers, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import Code
from fairlead.checker.result import Result
from fairlead.outcome.events import Phase, Progress
from fairlead.outcome.finding import Verdict
from tests.support.tuning import Tune

EXAMPLES = Path(__file__).parents[2] / "examples"
PHILOSOPHERS = EXAMPLES / "philosophers" / "dining_philosophers.csp"
SCHEDULER = EXAMPLES / "schedulers" / "milner_scheduler.csp"
LIVE = "MixedCollege() |= []<> eat.0"


def philosophers(number: int) -> fairlead.Model:
    return fairlead.load(PHILOSOPHERS, {"N": number})


def symbolic(model: fairlead.Model, question: str, notion: str = "none", **more: object) -> Result:
    return model.check(question, notion, reduction="symbolic", **more)


@pytest.mark.parametrize("number", [2, 5, 16])
def test_the_number_of_states_of_the_scheduler_is_exact(number: int) -> None:
    """The holder of the token is about to start its job, has started it, or was overtaken by its end; each
    other cycler may still have to see its job end."""
    result = symbolic(fairlead.load(SCHEDULER, {"N": number}), "Scheduler() deadlockfree")
    whole = 2 * number * 2**number
    if number == 5:
        explicit = fairlead.load(SCHEDULER, {"N": number}).check("Scheduler() deadlockfree", reduction="none")
        assert explicit.statistics.states == whole
    assert (result.verdict, result.statistics.states) == (Verdict.HOLDS, whole)


def test_verdicts_of_thirty_philosophers() -> None:
    model = philosophers(30)
    assert symbolic(model, "MixedCollege() deadlockfree").verdict is Verdict.HOLDS
    stuck = symbolic(model, "College() deadlockfree")
    assert stuck.verdict is Verdict.VIOLATED and stuck.evidence is not None
    assert stuck.evidence.run.stem[-1].target is not None and stuck.statistics.states > 10**15


def test_a_run_is_found_where_distances_take_too_many_nodes(tune: Tune) -> None:
    tune(ring_nodes=0)
    result = symbolic(philosophers(5), "College() deadlockfree")
    assert result.verdict is Verdict.VIOLATED and result.is_shortest is False
    shortest = symbolic(philosophers(5), "College() deadlockfree", shortest=True)
    assert shortest.is_shortest is True and shortest.evidence is not None
    assert len(shortest.evidence.run.stem) == 5


def test_a_limit_on_memory_makes_the_verdict_unknown() -> None:
    for memory in (1 << 20, 8 << 20):
        limits = fairlead.Limits(max_memory=memory)
        result = symbolic(philosophers(12), LIVE, "psf", limits=limits)
        assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "max-memory")


def interrupting(phase: Phase) -> object:
    def reporter(progress: Progress) -> None:
        if progress.phase is phase:
            raise KeyboardInterrupt

    return reporter


@pytest.mark.parametrize("phase", [Phase.EXPLORING, Phase.CYCLE])
def test_an_interruption_ends_the_search_and_leaves_nothing_behind(phase: Phase) -> None:
    model = philosophers(4)
    with pytest.raises(KeyboardInterrupt):
        symbolic(model, LIVE, "psf", reporter=interrupting(phase))
    assert symbolic(model, LIVE, "psf").verdict is Verdict.HOLDS
    assert symbolic(model, LIVE, "pwf").verdict is Verdict.VIOLATED


def test_time_ends_a_fixpoint_and_the_states_are_known() -> None:
    result = symbolic(philosophers(60), LIVE, "psf", limits=fairlead.Limits(timeout=4))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "timeout")
    assert result.statistics.states == 0 or result.statistics.states > 10**30


REFUSED = {
    "fork": ("System() = (a -> (b -> Skip ||| c -> Skip)) ||| d -> Skip;", "System() deadlockfree"),
    "kind": ("System() = a -> System();", "System() deterministic"),
    "global": ("System() = a -> System() [] b -> System();", "System() |= []<> a"),
    "annotated": ("System() = wf(a) -> System() [] b -> System();", "System() |= []<> a"),
    "fault": ("var x:{0..2} = 0; System() = up{x = x + 1;} -> System();", "System() deadlockfree"),
    "starts": ("var x:{0..2}; System() = up{x = 1;} -> System();", "System() deadlockfree"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_encoded_is_refused(name: str) -> None:
    text, question = REFUSED[name]
    notion = "sgf" if name == "global" else "none"
    try:
        result = symbolic(fairlead.loads(text), question, notion)
    except fairlead.InputError as error:
        assert error.diagnostics[0].code is Code.SYMBOLIC
        return
    assert name == "starts" and result.verdict is Verdict.HOLDS


def test_errors_of_texts_that_no_run_reaches_do_not_matter() -> None:
    text = """
    var left:{0..1} = 1;
    P(n) = [n > 0] a{left = 0;} -> P(n - 1) [] [left > 5] b -> Q(n);
    Q(n) = c.(1 / (n - n)) -> Q(n);
    System() = P(1) ||| (tick -> Skip);
    """
    assert symbolic(fairlead.loads(text), "System() nonterminating").verdict is Verdict.VIOLATED
