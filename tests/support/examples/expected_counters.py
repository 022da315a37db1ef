"""What counted processes must answer for any number of them.

The table of Sun et al. (FM 2009) is in `fairlead.papers`, and checked by the tests of that.

All verdicts were confirmed by a separate program: systems written by hand, whose configurations are counts
cut off, searched for a fair component of the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.examples.expected_identical import PUSH_ENDS, READING_ENDS

#: the notions of the paper
PAPER_NOTIONS = ("none", "pwf", "psf")


@dataclass(frozen=True)
class Counted:
    """One formula on one model, with any number of some processes.

    `verdicts` has one letter for each of `notions`, Y for holds and N for violated.
    """

    name: str
    process: str
    formula: str
    verdicts: str
    any_number: tuple[tuple[str, str], ...]
    cutoff: int = 2
    notions: tuple[str, ...] = PAPER_NOTIONS

    @property
    def file(self) -> str:
        return f"{self.name}.csp"

    @property
    def by_notion(self) -> dict[str, bool]:
        """For each notion: does the formula hold?"""
        return {
            notion: letter == "Y" for notion, letter in zip(self.notions, self.verdicts.split(), strict=True)
        }

    @property
    def id(self) -> str:
        return f"{self.name}-{self.formula}"


ONE_LEADER = "<>[] oneLeader"

NODES = (("Follower", "inf"),)
BEGINNERS = (("Beginner", "2..inf"),)
READERS = (("Reader", "inf"),)
LIBRARY = (("Reader", "inf"), ("Writer", "inf"))
WORKERS = (("Worker", "inf"),)
THREADS = (("Thread", "inf"),)

ANY_NUMBER = (
    Counted("leader_complete", "Network()", ONE_LEADER, "N Y Y", any_number=NODES),
    Counted("meta_lock", "System()", "[]<> access", "Y Y Y", any_number=THREADS),
    Counted("meta_lock", "System()", "[] alone", "Y Y Y", any_number=THREADS),
    # not decided in the paper; only whether somebody is at a place matters, so the lowest cutoff will do
    Counted("register", "System()", READING_ENDS, "N Y Y", any_number=READERS, cutoff=0),
    Counted("register", "System()", "!value.2 W set.2", "Y Y Y", any_number=READERS, cutoff=0),
    Counted("lock_free_stack", "System()", PUSH_ENDS, "N N N", any_number=WORKERS, cutoff=1),
    Counted("lock_free_stack", "System()", "[]<> (push_res || done)", "Y Y Y", any_number=WORKERS, cutoff=1),
    Counted("many_readers_writers", "Library()", "[] safe", "Y Y Y", any_number=LIBRARY),
    Counted("many_readers_writers", "Library()", "[]<> reading", "N N Y", any_number=LIBRARY),
    Counted("leader_detectors", "Network()", ONE_LEADER, "N N N", any_number=BEGINNERS),
)

#: a reader has many places to be
ANY_NUMBER_LARGE = (Counted("register", "System()", READING_ENDS, "N Y Y", any_number=READERS, cutoff=1),)

#: A meeting changes nothing for the follower that does not rise: it has not left its local state.
STAYING = Counted("leader_detectors", "Network()", ONE_LEADER, "Y", any_number=BEGINNERS, notions=("ewf",))
