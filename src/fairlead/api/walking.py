"""Random walks through a model: for systems that are too large to explore."""

from __future__ import annotations

import secrets
from functools import partial

from fairlead.api.arguments import EXPECTED
from fairlead.api.model import Model
from fairlead.base.allowance import Stopped
from fairlead.base.arguments import NOTHING, Expected, checked
from fairlead.base.diagnostics import Code, Diagnostic, InternalError, input_error
from fairlead.checker.options import MOST_SEED
from fairlead.checker.questions import system_of
from fairlead.model.meaning import meaning_holds
from fairlead.model.system import State, Step
from fairlead.outcome.events import Reporter
from fairlead.outcome.limits import Clock, Limits
from fairlead.outcome.walks import Ending, Tally
from fairlead.search.target import Target
from fairlead.search.walks import Until, Walk, Walker
from fairlead.simulation.walks import RandomWalks, judge

#: no walk ends that has more, nor do that many walks
MOST_STEPS = 1_000_000_000
#: as many of the last steps are compared with the reference semantics
JUDGED = 50
_EXPECTED = {
    **EXPECTED,
    "model": Expected("a Model", (Model,)),
    "steps": Expected("a number of steps", (int,), least=1, most=MOST_STEPS),
    "walks": Expected("a number of walks", (int,), least=1, most=MOST_STEPS),
    "until": Expected("a condition as text, such as 'x == 3' or an event", (str, NOTHING)),
    "seed": Expected("a whole number", (int, NOTHING)),
}


@checked(_EXPECTED)
def walk(
    model: Model,
    process: str | None = None,
    *,
    steps: int = 1000,
    walks: int = 1,
    until: str | None = None,
    seed: int | None = None,
    limits: Limits | None = None,
    reporter: Reporter | None = None,
) -> RandomWalks:
    """Random walks of up to so many steps, until one meets the condition or something is wrong.

    The condition is about a state and the event that led to it; it has no temporal operators. A walk ends
    there, at a deadlock, an error, a fault at run time, or where everything has terminated; only then, and
    after all its steps, another one begins. Without a seed, one is chosen. Every step of the same state is
    equally likely.
    """
    chosen = secrets.randbelow(1 << 20) if seed is None else seed
    if not 0 <= chosen <= MOST_SEED:
        raise input_error(Code.USAGE, f"a seed is a number from 0 to {MOST_SEED}, not {chosen}")
    condition, target = _walked(model, process, until, limits or Limits(), reporter)
    walker = Walker(target, condition, chosen)
    clock = Clock(limits or Limits())
    made: list[Walk] = []
    total = terminated = 0
    limit: str | None = None
    try:
        for number in range(1, walks + 1):
            last = walker.walk(number, steps, clock)
            made = [last]
            total += len(last)
            terminated += last.ending is Ending.TERMINATED
            if last.ending is Ending.MET or last.ending.is_wrong:
                break
    except Stopped as stop:
        limit = stop.kind.value
        total += len(walker.unfinished)
    number = made[0].number if made else 0
    tally = Tally(number, total, walker.visited, not walker.is_renewed, terminated, clock.seconds, limit)
    shown = made[0] if made and limit is None else walker.unfinished
    found = RandomWalks(
        target.system,
        chosen,
        until,
        shown.number,
        shown.ending,
        len(shown),
        tally,
        partial(walker.path, shown),
    )
    _judge(found, condition)
    return found


def _walked(
    model: Model, process: str | None, until: str | None, limits: Limits, reporter: Reporter | None
) -> tuple[Until | None, Target]:
    """The condition that a walk is to meet, and the system in which its names have a meaning."""
    checker = model._checker
    if until is None:
        return None, checker.targets.of(model._loaded.system(process), limits, reporter)
    question = model.ctl(until, process)
    query = checker.questions.query(question, None, None)
    read = query.context.branching(question)
    condition = Until(read.formula, read.meanings)
    if condition.operator is not None:
        problem = "a condition is about one state and the event before it; it has no temporal operators"
        raise input_error(Code.USAGE, f"'{until}': {problem}")
    return condition, checker.targets.of(system_of(query), limits, reporter)


def _judge(found: RandomWalks, condition: Until | None) -> None:
    """Compares the end of the walk that is shown with the reference semantics."""
    begin, steps = found.part(max(0, found.length - JUDGED), None)
    judge(found, begin, steps)
    if condition is not None and found.ending is Ending.MET:
        state, step = (steps[-1].target, steps[-1]) if steps else (begin, None)
        if not _holds(found, condition, state, step):
            raise InternalError((Diagnostic(Code.INTERNAL, "the condition is not met where it should be"),))


def _holds(found: RandomWalks, condition: Until, state: State, step: Step | None) -> bool:
    truth = {
        atom: meaning_holds(found.system, meaning, state, step)
        for atom, meaning in condition.meanings.items()
    }
    return condition.value(truth)
