"""Prints how long the search takes in growing rings, and everything after it: `python -m bench.evidence`.

The aim: everything after the search takes at most 20 times the search and a second besides, for up to 100,000
transitions in the component. Times are those of the processor.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fairlead
from fairlead.base.tuning import tuned
from fairlead.search.fair_search import FairRun, FairSearch

HERE = Path(__file__).parent
QUESTIONS = [
    ("replicated_ring.csp", "Ring() |= <> [] log[0] == 0", "sgf"),
    ("replicated_ring.csp", "Ring() |= <> [] (pass.0 -> X !write.0)", "sgf"),
    ("replicated_ring.csp", "Ring() |= [] <> log[0] == 0", "esf"),
    ("replicated_ring.csp", "Ring() |= [] <> log[0] == 0", "psf"),
    ("replicated_ring.lts", "||RING |= STAYS", "sgf"),
]


@contextmanager
def noting_the_find() -> Iterator[list[float]]:
    """While inside, the times at which the search has found a part, and nothing is made of it yet."""
    found: list[float] = []
    shown = FairSearch._shown

    def note(search: FairSearch) -> FairRun:
        found.append(time.process_time())
        return shown(search)

    FairSearch._shown = note  # type: ignore[method-assign]
    try:
        yield found
    finally:
        FairSearch._shown = shown  # type: ignore[method-assign]


def measure(file: str, question: str, notion: str, size: int) -> str:
    """One line. A component stands for every fair loop, so that it is judged whatever the notion."""
    model = fairlead.load(HERE / file, definitions={"N": str(size)})
    start = time.process_time()
    with tuned(longest_loop=0), noting_the_find() as found:
        result = model.check(question, notion)
    result.to_json()
    str(result)
    search, after = found[0] - start, time.process_time() - found[0]
    evidence = result.evidence
    assert evidence is not None and evidence.component is not None
    part = evidence.component
    aim = "met" if after <= 20 * search + 1 else "missed"
    return (
        f"{file:<20} N={size}  {notion:<4} {part.states:>8,} {part.transitions:>11,} "
        f"{search:>8.3f} {after:>7.2f}  {aim:<7} {question}"
    )


def main(sizes: list[int]) -> None:
    """All questions about rings of these sizes."""
    print(f"{'model':<30} {'states':>8} {'transitions':>11} {'search':>8} {'after':>7}  {'aim':<7} question")
    for size in sizes:
        for file, question, notion in QUESTIONS:
            print(measure(file, question, notion, size), flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [5, 6, 7])
