"""Tables 1 and 2 of Si, Sun, Liu, Dong, Pang, Zhang and Yang (2014).

Both are kept as they are printed, one line for one line; `_` stands for a blank in a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness
from fairlead.papers.rows import Extent, Published, Question, Row, Table, times

PAPER = (
    "Si, Sun, Liu, Dong, Pang, Zhang and Yang: Model checking with fairness assumptions using PAT. "
    "Frontiers of Computer Science 8(1), 2014"
)
MACHINE = "Their times are seconds of PAT and of SPIN 4.3 on a Pentium IV with 3.0 GHz and 2 GB"

_YES_NO = {"Yes": True, "No": False, "−": None}
_NOTIONS = (
    Fairness.NONE,
    Fairness.EVENT_WEAK,
    Fairness.PROCESS_WEAK,
    Fairness.EVENT_STRONG,
    Fairness.PROCESS_STRONG,
    Fairness.STRONG_GLOBAL,
)


@dataclass(frozen=True)
class System:
    """Our model of a system, and what of it is ours; under some notions large sizes take long."""

    name: str
    model: str
    assertion: str
    reconstruction: str
    large: tuple[tuple[int, Fairness], ...] = ()

    def question(self, size: int, fairness: Fairness) -> Question:
        """The question at one size."""
        return Question(self.model, self.assertion, fairness, (("N", size),))

    @property
    def claim(self) -> str:
        """The formula."""
        return self.assertion.partition(" |= ")[2]

    def extent(self, size: int, fairness: Fairness) -> Extent:
        """Whether a row is checked unless other sizes are wanted."""
        return Extent.LARGE if (size, fairness) in self.large else Extent.USUAL


# ---------------------------------------------------------------- table 1: population protocols

_ELECTS = "LeaderElection() |= <>[] oneLeader"
_DETECTOR = "one detector for all, which may be wrong for a while, and any values at the start"

LE_C = System(
    "LE_C",
    "leader_election/leader_election_complete.csp",
    _ELECTS,
    "LE_C: the paper cites Fischer and Jiang (2006) and prints no protocol. Ours has one bit for each node, "
    f"{_DETECTOR}; it has far fewer states than their times suggest.",
)
LE_T = System(
    "LE_T",
    "leader_election/leader_election_tree.csp",
    _ELECTS,
    "LE_T: the paper cites Canepa and Potop-Butucaru and prints no protocol. Ours has one bit for each "
    f"node of a binary tree, {_DETECTOR}; leaders hand their leadership to their parents.",
)
LE_OR = System(
    "LE_OR",
    "population_protocols/barriers.csp",
    "Barriers() |= <>[] oneBarrier",
    "LE_OR: the paper cites Jiang's thesis, where a node has five bits, and prints no protocol. Ours "
    "is another one for odd rings without a detector, with one bit for each node: the node behind the "
    "last barrier leads.",
)
LE_R = System(
    "LE_R",
    "leader_election/leader_election_ring.csp",
    _ELECTS,
    "LE_R: the paper cites Fischer and Jiang (2006) and prints no protocol. Ours is a variant with "
    f"bullets and shields, {_DETECTOR}.",
    large=((7, Fairness.STRONG_GLOBAL), (8, Fairness.STRONG_GLOBAL)),
)
TC_R = System(
    "TC_R",
    "population_protocols/token_ring.csp",
    "TokenRing() |= <>[] oneToken",
    "TC_R: the paper cites Angluin et al. (2005) and prints no protocol. Ours has one bit for each "
    "node, and a node 0 that differs from the others.",
)

_SYSTEMS_1 = {system.name: system for system in (LE_C, LE_T, LE_OR, LE_R, TC_R)}

#: model, size; EWF: result, PAT, SPIN; ESF: result, PAT; SGF: result, PAT
_PRINTED_1 = """
LE_C   5  Yes  4.7    35.7   Yes  4.7    Yes  4.1
LE_C   6  Yes  26.7   229    Yes  26.7   Yes  23.5
LE_C   7  Yes  152.2  1190   Yes  152.4  Yes  137.9
LE_C   8  Yes  726.6  5720   Yes  739.0  Yes  673.1
LE_T   5  Yes  0.2    0.7    Yes  0.2    Yes  0.2
LE_T   7  Yes  1.4    7.6    Yes  1.4    Yes  1.4
LE_T   9  Yes  10.2   62.3   Yes  10.2   Yes  9.6
LE_T  11  Yes  68.1   440    Yes  68.7   Yes  65.1
LE_T  13  Yes  548.6  3200   Yes  573.6  Yes  529.6
LE_OR  3  No   0.2    0.3    No   0.2    Yes  11.8
LE_OR  5  No   1.3    8.7    No   1.8    −    −
LE_OR  7  No   15.9   95     No   21.3   −    −
LE_R   3  No   0.1    <_0.1  No   0.2    Yes  1.5
LE_R   4  No   0.3    <_0.1  No   0.7    Yes  19.5
LE_R   5  No   0.8    <_0.1  No   2.7    Yes  299.0
LE_R   6  No   1.8    0.2    No   4.6    −    −
LE_R   7  No   4.7    0.6    No   9.6    −    −
LE_R   8  No   11.7   1.7    No   28.3   −    −
TC_R   3  Yes  <_0.1  <_0.1  Yes  <_0.1  Yes  <_0.1
TC_R   5  No   <_0.1  <_0.1  No   <_0.1  Yes  0.6
TC_R   7  No   0.2    0.1    No   0.2    Yes  13.7
TC_R   9  No   0.4    0.2    No   0.4    Yes  640.2
"""

#: "All of the algorithms fail to satisfy the property without fairness"; "event-level fairness or strong
#: global fairness is required for these examples"
_IN_WORDS = Published("Section 5, in words", verdict=False)
_WEAKER = (Fairness.NONE, Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG)
#: where the paper's words about the protocols cannot apply to a size
_TOO_SMALL = {("LE_OR", 3), ("TC_R", 3)}

_DIFFERENCES_1 = {
    (
        "LE_R",
        3,
        Fairness.EVENT_STRONG,
    ): "LE_R 3 under esf: in our variant three nodes are too few for two leaders "
    "to miss each other forever; from four on the verdicts are the published ones.",
    **{
        ("LE_OR", 3, notion): "LE_OR 3: three barriers cannot chase each other round a ring of three, so our "
        "protocol needs no fairness there; from five nodes on the verdicts are the published ones."
        for notion in (Fairness.EVENT_WEAK, Fairness.EVENT_STRONG)
    },
}


def _published_1(name: str, size: int, printed: list[str]) -> dict[Fairness, Published]:
    weak, weak_pat, weak_spin, strong, strong_pat, all_steps, all_pat = printed
    found = {
        Fairness.EVENT_WEAK: Published(
            "Table 1, EWF", _YES_NO[weak], times(("PAT", "SPIN"), (weak_pat, weak_spin))
        ),
        Fairness.EVENT_STRONG: Published("Table 1, ESF", _YES_NO[strong], times(("PAT",), (strong_pat,))),
        Fairness.STRONG_GLOBAL: Published("Table 1, SGF", _YES_NO[all_steps], times(("PAT",), (all_pat,))),
    }
    if (name, size) not in _TOO_SMALL:
        found |= dict.fromkeys(_WEAKER, _IN_WORDS)
    return found


def _rows_1() -> Iterator[Row]:
    for line in _PRINTED_1.split("\n")[1:-1]:
        name, number, *printed = line.split()
        system, size = _SYSTEMS_1[name], int(number)
        published = _published_1(name, size, printed)
        for notion in _NOTIONS:
            yield Row(
                name,
                size,
                system.claim,
                notion.value,
                system.question(size, notion),
                published.get(notion),
                system.reconstruction,
                _DIFFERENCES_1.get((name, size, notion)),
                extent=system.extent(size, notion),
            )


# ---------------------------------------------------------------- table 2: benchmark systems

DP = System(
    "dp",
    "philosophers/dining_philosophers.csp",
    "College() |= []<> eat.0",
    "dp: the paper names the system only. In ours each philosopher takes the left fork first, and returns "
    "both in the order taken.",
)
MS = System(
    "ms",
    "schedulers/milner_scheduler.csp",
    "Scheduler() |= []<> work.0",
    "ms: the paper names the system only. In ours one token goes round in a variable.",
)
PETERSON = System(
    "peterson",
    "mutual_exclusion/peterson.csp",
    "System() |= [] (request.0 -> <> cs.0)",
    "peterson: the paper names the system only. In ours a process waits in one step that looks at all "
    "others. “Bounded bypass” is there explained as: who is interested in the critical section will be "
    "in it.",
)

_SYSTEMS_2 = {system.name: system for system in (DP, MS, PETERSON)}

#: model, size, result, fairness, PAT, SPIN
_PRINTED_2 = """
dp        10  No   none  0.8    <_0.1
dp        13  No   none  9.8    <_0.1
dp        15  No   none  56.1   <_0.1
dp        10  No   sgf   0.8    −
dp        13  No   sgf   9.8    −
dp        15  No   sgf   56.0   −
ms        10  Yes  esf   9.3    −
ms        12  Yes  esf   105.5  −
peterson   3  Yes  pwf   0.1    1.25
peterson   4  Yes  pwf   1.7    >_671
peterson   5  Yes  pwf   58.9   −
"""


def _rows_2() -> Iterator[Row]:
    for line in _PRINTED_2.split("\n")[1:-1]:
        name, number, result, notion, *printed = line.split()
        system, size = _SYSTEMS_2[name], int(number)
        yield Row(
            name,
            size,
            system.claim,
            notion,
            system.question(size, Fairness(notion)),
            Published("Table 2", _YES_NO[result], times(("PAT", "SPIN"), printed)),
            system.reconstruction,
            extent=system.extent(size, Fairness(notion)),
        )


TABLES = (
    Table(
        "pat2014-1",
        "Population protocols under fairness",
        f"{PAPER}. Table 1",
        f"{MACHINE}; “−” is out of memory, or more than four hours. The table has columns for ewf, esf "
        "and sgf; the claims about the other notions are in the text.",
        tuple(_rows_1()),
    ),
    Table(
        "pat2014-2",
        "Benchmark systems under fairness",
        f"{PAPER}. Table 2",
        f"{MACHINE}; “−” is not possible in SPIN, out of memory, or more than four hours. The signs □◇ "
        "before eat0 and work0 are missing in the text that we have.",
        tuple(_rows_2()),
    ),
)
