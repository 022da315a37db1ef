"""Thresholds and internal limits of searches, automata, judges and pages: one record that tests can change.

No value makes a verdict wrong; a lower limit can make it unknown. Code calls `tuning()` where a piece of work
begins, not in inner loops. Limits that users choose are in `fairlead.outcome.limits`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fairlead.base.records import dataclass


@dataclass(frozen=True)
class Tuning:
    """Every threshold that some test changes, and those that belong to the same decision."""

    # ------------------------------------------------------------ exploration (search/target.py, scan.py)

    #: work on fewer states than this is not worth waking other threads for
    least_work: int = 1024
    #: how many transitions of a network are kept at most, even if there is memory: the others are found again
    most_kept: int | None = None
    #: how many states are explored before the first look at single states
    first_batch: int = 1_000
    #: by what factor more before each later look
    batch_growth: int = 4

    # ------------------------------------------------------------ LTL (search/ltl.py)

    #: systems up to so many states are explored whole before the search, for the sake of the shortest lassos
    small_system: int = 20_000
    #: how many fair components of a small system compete for the shortest lasso
    competitors: int = 20
    #: where a fair loop would have more steps than this, the component is shown instead
    longest_loop: int = 100
    #: in systems of up to so many states the shortest lasso of all is searched for
    shortest_lasso_system: int = 2_000
    #: among so many paths
    shortest_lasso_work: int = 10_000
    #: the least number of steps of the depth-first search before its next turn
    shortest_dive: int = 20_000
    #: for so many transitions that are known the depth-first search may take one step
    dive_share: int = 16

    # ------------------------------------------------------------ dives (search/dives.py)

    #: dives begin when the exhaustive search has met more than so many states
    first_dives_at: int = 20_000
    #: how many visits a dive has before the next one has its turn
    first_dive: int = 2_000
    #: for so many states that the exhaustive search has met dives towards a goal may visit one
    dive_part: int = 8
    #: and dives that do not know where to look: up to a number of states, and beyond it
    unguided_dive_part: int = 16
    unguided_dives_until: int = 320_000
    late_unguided_dive_part: int = 256
    #: up to so many states; beyond, for twice as many
    eager_dives_until: int = 16_000_000
    #: dives do not go deeper than so many steps
    deepest_dive: int = 2_000
    #: for so many states that the exhaustive search has met one may be examined to make a run shorter
    shortening_share: int = 4

    # ------------------------------------------------------------ auto (checker/strategies/auto.py)

    #: systems up to so many states are explored whole before reductions are tried
    auto_whole: int = 50_000
    #: partial order reduction that does not end with so many states must have shown that it is worth it
    auto_sample: int = 20_000
    #: it has an effect if it left out steps in one of so many states
    auto_reduced_states: int = 2
    #: parts of a composition that are minimised have no more states than this
    auto_part: int = 50_000

    # ------------------------------------------------------------ progress (search/progress.py)

    #: how many states a depth-first search may have before a short cut (native/behaviour/terminal.hpp)
    terminal_patience: int = 10_000

    # ------------------------------------------------------------ vacuity (search/vacuity/triviality.py)

    #: unless it is asked for, mutants are checked in systems up to so many states
    mutated_system: int = 100_000
    #: and no more mutants than this
    most_mutants: int = 30
    #: nor more than look at so many states altogether
    mutant_work: int = 1_000_000
    #: when it is asked for, a system whose states are not all known is explored up to so many
    vacuity_exploration: int = 10_000_000

    # ------------------------------------------------------------ automata (logic/automata)

    #: how many moves one state of a tableau may have
    move_limit: int = 5_000
    #: how many comparisons of moves with each other a tableau may take (some ten seconds)
    move_comparisons: int = 150_000_000
    #: with more "infinitely often" conditions than this in one state, a move answers one of them at a time
    joint_recurrences: int = 4
    #: sets of letters are bit masks with one bit per letter, 2^atoms bits: not for more atoms than this
    letter_atoms: int = 10
    #: simulation compares all pairs of transitions; automata with more are only merged by bisimulation
    simulation_transitions: int = 1_000
    #: how many pairs of states simulation may compare before it gives up
    simulation_comparisons: int = 200_000

    # ------------------------------------------------------------ evidence

    #: from one position, more positions than these are not labelled (evidence/labelling.py)
    labelled_positions: int = 5_000
    #: nor is it tried with more, all in all, from different positions
    labelling_budget: int = 15_000
    #: of a terminal set with more states only so many are examined again (evidence/terminal.py)
    judged_terminal_states: int = 2_000
    #: of a component with more transitions only so many are examined again (evidence/component.py)
    judged_transitions: int = 1_000_000

    # ------------------------------------------------------------ machines of FSP (reduce/tools.py)

    #: a composite process that must be built before it is composed further has at most so many states
    built_states: int = 2_000_000
    #: compositions that cannot have more states are built without the engine
    small_composition: int = 10_000

    # ------------------------------------------------------------ pages (present/html/report.py)

    #: the pictures of state graphs on one page have no more states together than this
    most_drawn: int = 400


#: made at first use: building the class takes a millisecond, and many commands never ask
_current: Tuning | None = None


def tuning() -> Tuning:
    """The current values."""
    global _current
    if _current is None:
        _current = Tuning()
    return _current


@contextmanager
def tuned(**changes: int | None) -> Iterator[Tuning]:
    """Change values for a block, in all threads of this process and in processes forked inside the block.

    Blocks may be nested; blocks of different threads must not overlap.
    """
    global _current
    before = tuning()
    _current = replace(before, **changes)  # type: ignore[arg-type]
    try:
        yield _current
    finally:
        _current = before
