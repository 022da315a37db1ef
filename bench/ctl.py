"""How the time for CTL under a fairness formula grows with the system, and beside the time of exploring it.

    python bench/ctl.py [N ...]

The systems are N philosophers, one of them left-handed, with twenty thousand to thirteen million
transitions. The fairness formula has eight strong-fairness conjuncts (Emerson and Lei's canonical form), the
CTL formula more than ten operators; it holds, so that no time goes into evidence. Exploring is the time of
finding the size of the system; labelling is that of the check as fairlead reports it, on the system explored
before. The best of a few runs counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import fairlead

MODEL = Path(__file__).parent.parent / "examples" / "csp" / "dining_philosophers.csp"
PROCESS = "MixedCollege()"
SIZES = (7, 8, 9, 10, 11, 12)
#: runs of the smallest system; larger ones get fewer
RUNS = 9
FAIR = " && ".join(
    [f"strong(Philosopher({number}))" for number in range(4)]
    + [f"strong(getleft.{number})" for number in range(4)]
)
FORMULA = "AG (getleft.0 -> EF eat.0) && (AF eat.0 || EG !eat.0) && AG (EX true && (AF eat.1 || EG !eat.1))"
OPERATORS = 13

_Value = TypeVar("_Value")


def timed(work: Callable[[], _Value]) -> tuple[float, _Value]:
    """The time of some work, and what it gave."""
    begin = time.perf_counter()
    value = work()
    return time.perf_counter() - begin, value


def measure(philosophers: int, runs: int) -> tuple[int, float, float]:
    """States and transitions of a system, the time of exploring it and that of the formula."""
    exploring = labelling = float("inf")
    size = 0
    for _ in range(runs):
        model = fairlead.load(MODEL, {"N": philosophers})
        explored, (states, transitions) = timed(partial(model.size, PROCESS))
        result = model.check(model.ctl(FORMULA, PROCESS), fair=FAIR)
        assert result.verdict is fairlead.Verdict.HOLDS, result
        exploring, labelling = min(exploring, explored), min(labelling, result.statistics.seconds)
        size = states + transitions
    return size, exploring, labelling


def main(arguments: list[str]) -> None:
    """Prints one line per system."""
    sizes = [int(argument) for argument in arguments] or list(SIZES)
    print("philosophers  states+transitions  exploring s  labelling s  ratio  ns per element and operator")
    for place, philosophers in enumerate(sizes):
        size, exploring, labelling = measure(philosophers, max(1, RUNS - 2 * place))
        each = labelling / size / OPERATORS * 1e9
        times = f"{exploring:>11.3f}  {labelling:>11.3f}  {labelling / exploring:>5.1f}"
        print(f"{philosophers:>12}  {size:>18,}  {times}  {each:>27.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
