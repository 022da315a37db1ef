"""Random walks as text a person reads, and as JSON objects (docs/how-to/simulate.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairlead.base.diagnostics import counted
from fairlead.evidence.changes import state_line
from fairlead.outcome.walks import Ending, Tally
from fairlead.simulation.text import SHOWN_LINES, failure_lines, row_lines
from fairlead.simulation.view import step_rows
from fairlead.simulation.walks import RandomWalks


def walks_lines(walks: RandomWalks) -> Iterator[str]:
    """The seed, the path of the last walk, how it ended, and what was done.

    Where the condition was not met there is no path worth seeing.
    """
    yield f"seed: {walks.seed}"
    if walks.until is None or walks.ending is not Ending.STEPS:
        yield from _path(walks)
    yield _ending(walks)
    if walks.ending is Ending.FAULT:
        yield from failure_lines(walks.failures)
    yield _tally(walks.tally)


def _path(walks: RandomWalks) -> Iterator[str]:
    """The steps of the last walk, without those in the middle if they are many."""
    half = SHOWN_LINES // 2
    is_short = walks.length <= SHOWN_LINES
    start, steps = walks.part(0, None if is_short else half)
    yield f"start: {state_line(walks.system.describe(start))}"
    rows = step_rows(walks.system, start, steps, in_sequence=True)
    if not is_short:
        state, others = walks.part(walks.length - half, None)
        number = walks.length - half + 1
        rows += step_rows(walks.system, state, others, in_sequence=True, number=number)
    for number, line in enumerate(row_lines(rows)):
        if number == half and not is_short:
            yield f"    … {counted(walks.length - SHOWN_LINES, 'more step')} (all with --json) …"
        yield f"  {line}"


def _ending(walks: RandomWalks) -> str:
    after = f"walk {walks.number}, after {counted(walks.length, 'step')}: "
    match walks.ending:
        case Ending.MET:
            return f"{after}{walks.until} is met"
        case Ending.DEADLOCK:
            return f"{after}deadlock, no step is possible"
        case Ending.ERROR:
            return f"{after}{walks.system.failed_process(walks.last)} is in ERROR"
        case Ending.FAULT:
            return f"{after}fault, an event cannot be carried out"
        case Ending.TERMINATED if walks.until is None:
            return f"{after}the whole system has ended"
    if walks.until is None:
        return f"{after}no deadlock, error or fault was met"
    return f"{walks.until} was not met; that does not mean that it cannot be"


def _tally(tally: Tally) -> str:
    made = f"{_many(tally.walks, 'walk')}, {_many(tally.steps, 'step')}"
    states = f"{'' if tally.is_exact else 'at least '}{_many(tally.states, 'different state')}"
    ended = f", {tally.terminated} terminated" if tally.terminated else ""
    rate = f"{tally.seconds:.3f} seconds, {round(tally.steps / max(tally.seconds, 1e-6)):,} steps per second"
    limit = f" ({tally.limit} reached)" if tally.limit else ""
    return f"{made}{ended}, {states}, {rate}{limit}"


def _many(count: int, noun: str) -> str:
    """As `counted`, for large numbers."""
    return counted(count, noun).replace(str(count), f"{count:,}", 1)


def walks_records(walks: RandomWalks) -> Iterator[dict[str, Any]]:
    """The start and every step of the last walk, and then the walks as a whole."""
    start, steps = walks.part(0, None)
    yield {"kind": "initial", "number": _number(walks, start), "state": walks.system.describe(start)}
    for row in step_rows(walks.system, start, steps, in_sequence=True):
        yield {
            "kind": "step",
            "number": row.number,
            "event": row.step.event,
            "processes": row.processes,
            "changes": list(row.effects),
            "state": walks.system.describe(row.step.target),
        }
    tally = walks.tally
    yield {
        "kind": "walks",
        "seed": walks.seed,
        **({} if walks.until is None else {"until": walks.until}),
        "walk": walks.number,
        "ending": walks.ending.value,
        "length": walks.length,
        "walks": tally.walks,
        "steps": tally.steps,
        "terminated": tally.terminated,
        "states": tally.states,
        "states_are_exact": tally.is_exact,
        "seconds": round(tally.seconds, 6),
        **({} if tally.limit is None else {"limit": tally.limit}),
        "failures": [
            {
                "event": failure.event,
                "processes": list(failure.processes),
                "problem": failure.problem.to_json(),
            }
            for failure in (walks.failures if walks.ending is Ending.FAULT else ())
        ],
    }


def _number(walks: RandomWalks, start: object) -> int:
    return list(walks.system.initial_states()).index(start) + 1
