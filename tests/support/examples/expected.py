"""What the example models must answer: verdicts under each notion of fairness, and numbers of configurations.

"Given" verdicts are those of the published protocols (LE_R is a variant of the printed one: at n = 3 it
differs under esf). "Computed" ones were found by a separate brute-force program that read the model text with
its own small interpreter and searched for a fair cycle in the full graph; it confirmed the given ones too.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf")


class Origin(Enum):
    GIVEN = "given"
    COMPUTED = "computed"


@dataclass(frozen=True)
class Size:
    """How large a system is.

    `configurations` and `transitions` are those after Init has finished (all of them, where there is no
    Init); `init_configurations` and `init_transitions` are the rest, so that the sum is the whole graph.
    """

    configurations: int
    transitions: int
    init_configurations: int = 0
    init_transitions: int = 0

    @property
    def all_configurations(self) -> int:
        return self.configurations + self.init_configurations

    @property
    def all_transitions(self) -> int:
        return self.transitions + self.init_transitions


def bit_init(n: int, values: int = 2) -> tuple[int, int]:
    """Configurations and transitions of an Init that gives n nodes, one by one, one of `values` values."""
    configurations = sum(values**k for k in range(n))
    return configurations, configurations * values


@dataclass(frozen=True)
class Row:
    """One LTL assertion on one example, of one size.

    `verdicts` are in the order of NOTIONS, Y for holds and N for violated. `file` is the name of an
    example, or a path relative to the repository. Explicit graphs have no process name.
    """

    file: str
    process: str | None
    n: int | None
    formula: str
    verdicts: str
    size: Size | None = None
    origin: Origin = Origin.GIVEN

    @property
    def assertion(self) -> str:
        return self.formula if self.process is None else f"{self.process}() |= {self.formula}"

    @property
    def by_notion(self) -> dict[str, bool]:
        """For each notion: does the formula hold?"""
        return {notion: letter == "Y" for notion, letter in zip(NOTIONS, self.verdicts.split(), strict=True)}

    @property
    def id(self) -> str:
        return f"{self.file.rsplit('/', 1)[-1]}-{self.n}-{self.assertion}"


@dataclass(frozen=True)
class PlainRow:
    """One assertion without a formula (`deadlockfree`, `reaches`), and whether it is valid."""

    file: str
    n: int | None
    assertion: str
    valid: bool


BENCH = "bench/models"


def self_stabilising(
    name: str,
    process: str,
    formula: str,
    verdicts: dict[int, str],
    sizes: dict[int, tuple[int, int]],
    values: int,
) -> tuple[Row, ...]:
    """Rows of a protocol that starts with an Init."""
    return tuple(
        Row(f"{name}.csp", process, n, formula, verdicts[n], Size(*sizes[n], *bit_init(n, values)))
        for n in sorted(verdicts)
    )


# Numbers of configurations of LE_C, LE_T, of LE_R 3 and 4, and of Peterson are given, and so are the
# transitions of LE_R 3 and 4; the other numbers of transitions are computed.
LEADER_ELECTION = (
    *self_stabilising(
        "leader_election_complete",
        "LeaderElection",
        "<>[] oneLeader",
        dict.fromkeys((3, 4, 5), "N Y N Y N Y"),
        {3: (24, 114), 4: (48, 348), 5: (96, 1012)},
        values=2,
    ),
    *self_stabilising(
        "leader_election_tree",
        "LeaderElection",
        "<>[] oneLeader",
        dict.fromkeys((3, 5, 7), "N Y N Y N Y"),
        {3: (24, 82), 5: (96, 452), 7: (384, 2310)},
        values=2,
    ),
    # From n = 4 on two leaders can shoot at each other forever without a hit, whatever fairness towards
    # events asks for. (n = 5 follows from "from n = 4 on"; it was computed too.)
    *self_stabilising(
        "leader_election_ring",
        "LeaderElection",
        "<>[] oneLeader",
        {3: "N N N Y N Y", 4: "N N N N N Y", 5: "N N N N N Y"},
        {3: (1536, 7152), 4: (12288, 67840), 5: (98304, 627968)},
        values=8,
    ),
)

TOKENS = (
    *self_stabilising(
        "token_ring",
        "TokenRing",
        "<>[] oneToken",
        {3: "Y Y Y Y Y Y", 4: "N N N N N Y", 5: "N N N N N Y"},
        {3: (8, 12), 4: (16, 32), 5: (32, 80)},
        values=2,
    ),
    *self_stabilising(
        "barriers",
        "Barriers",
        "<>[] oneBarrier",
        {3: "Y Y Y Y Y Y", 5: "N N N N N Y", 7: "N N N N N Y"},
        {3: (8, 12), 5: (32, 80), 7: (128, 448)},
        values=2,
    ),
)

CLASSICS = (
    # All may hold their left fork: a deadlock, which idles forever and is fair under every notion.
    Row("dining_philosophers.csp", "College", 3, "[]<> eat.0", "N N N N N N", Size(35, 66)),
    Row("dining_philosophers.csp", "College", 5, "[]<> eat.0", "N N N N N N", Size(392, 1250)),
    # One left-handed: no deadlock. A neighbour that takes, returns and takes a fork again makes the fork
    # available again and again but not always, so weak fairness is not enough and strong fairness is.
    Row(
        "dining_philosophers.csp",
        "MixedCollege",
        3,
        "[]<> eat.0",
        "N N N Y Y Y",
        Size(36, 69),
        Origin.COMPUTED,
    ),
    Row(
        "dining_philosophers.csp",
        "MixedCollege",
        5,
        "[]<> eat.0",
        "N N N Y Y Y",
        Size(393, 1255),
        Origin.COMPUTED,
    ),
    Row("peterson.csp", "System", 2, "[]<> cs.0", "N Y Y Y Y Y", Size(34, 62)),
    Row("peterson.csp", "System", 3, "[]<> cs.0", "N Y Y Y Y Y", Size(705, 1725)),
    Row("peterson.csp", "System", 3, "[] exclusive", "Y Y Y Y Y Y", Size(705, 1725), Origin.COMPUTED),
    # Nobody can move forever without the token going round, so no fairness is needed.
    Row(
        "milner_scheduler.csp",
        "Scheduler",
        3,
        "[]<> work.0",
        "Y Y Y Y Y Y",
        Size(48, 108),
        Origin.COMPUTED,
    ),
    Row(
        "milner_scheduler.csp",
        "Scheduler",
        5,
        "[]<> work.0",
        "Y Y Y Y Y Y",
        Size(320, 1040),
        Origin.COMPUTED,
    ),
    Row(
        "milner_scheduler.csp",
        "Handshakes",
        3,
        "[]<> work.0",
        "Y Y Y Y Y Y",
        Size(36, 72),
        Origin.COMPUTED,
    ),
    Row(
        "milner_scheduler.csp",
        "Handshakes",
        5,
        "[]<> work.0",
        "Y Y Y Y Y Y",
        Size(240, 720),
        Origin.COMPUTED,
    ),
    # Given: N without fairness. Writers that follow each other at once keep every reader from being able
    # to start *all* the time, so weak fairness is not enough; strong fairness is.
    Row(
        "readers_writers.csp",
        "Library",
        2,
        "[]<> reading",
        "N N N Y Y Y",
        Size(6, 12),
        Origin.COMPUTED,
    ),
    Row(
        "readers_writers.csp",
        "Library",
        3,
        "[]<> reading",
        "N N N Y Y Y",
        Size(11, 30),
        Origin.COMPUTED,
    ),
    Row("readers_writers.csp", "Library", 2, "[] safe", "Y Y Y Y Y Y", Size(6, 12)),
    Row("readers_writers.csp", "Library", 3, "[] safe", "Y Y Y Y Y Y", Size(11, 30)),
)

# The benchmark's models at small sizes; the sizes are also those SPIN reports for bench/promela.py.
BENCHMARK = (
    Row(f"{BENCH}/dp.csp", "System", 3, "[]<> eating0", "N N N N N N", Size(35, 66), Origin.COMPUTED),
    Row(f"{BENCH}/dp.csp", "System", 5, "[]<> eating0", "N N N N N N", Size(392, 1250), Origin.COMPUTED),
    Row(f"{BENCH}/ms.csp", "System", 5, "[]<> working0", "Y Y Y Y Y Y", Size(320, 1040), Origin.COMPUTED),
    Row(
        f"{BENCH}/pet.csp",
        "System",
        3,
        "[] (trying0 -> <> critical0)",
        "N Y Y Y Y Y",
        Size(465, 1047),
        Origin.COMPUTED,
    ),
    Row(
        f"{BENCH}/pet.csp",
        "System",
        4,
        "[] (trying0 -> <> critical0)",
        "N Y Y Y Y Y",
        Size(9820, 27228),
        Origin.COMPUTED,
    ),
    Row(f"{BENCH}/rw.csp", "System", 3, "[]<> reading", "N N N Y Y Y", Size(312, 1404), Origin.COMPUTED),
    Row(
        f"{BENCH}/rw.csp",
        "System",
        3,
        "[] (startread.0 -> <> stopread.0)",
        "N Y Y Y Y Y",
        Size(312, 1404),
        Origin.COMPUTED,
    ),
    Row(f"{BENCH}/petx.csp", "System", 2, "[] !together", "N N N N N N", None, Origin.COMPUTED),
    # Here every event is a process, so both kinds of weak fairness are the same, and likewise strong.
    Row(
        f"{BENCH}/lec.csp",
        "System",
        3,
        "<>[] oneLeader",
        "N Y Y Y Y Y",
        Size(16, 50, *bit_init(3)),
        Origin.COMPUTED,
    ),
    Row(
        f"{BENCH}/lec.csp",
        "System",
        5,
        "<>[] oneLeader",
        "N Y Y Y Y Y",
        Size(64, 532, *bit_init(5)),
        Origin.COMPUTED,
    ),
    Row(
        f"{BENCH}/lecd.csp",
        "System",
        3,
        "<>[] oneLeader",
        "N Y Y Y Y Y",
        Size(128, 640, *bit_init(3, 4)),
        Origin.COMPUTED,
    ),
    Row(
        f"{BENCH}/lecd.csp",
        "System",
        4,
        "<>[] oneLeader",
        "N Y Y Y Y Y",
        Size(512, 4096, *bit_init(4, 4)),
        Origin.COMPUTED,
    ),
)

# Jobs by rank: the others can always be back before the printer takes the next one.
LIBRARIES = (
    Row("print_spooler.csp", "System", 2, "[]<> print.1", "N N N N N Y", Size(16, 30), Origin.COMPUTED),
    Row("print_spooler.csp", "System", 3, "[]<> print.2", "N N N N N Y", Size(48, 117), Origin.COMPUTED),
)

ROWS = (*LIBRARIES, *LEADER_ELECTION, *TOKENS, *CLASSICS, *BENCHMARK)

PLAIN = (
    PlainRow("dining_philosophers.csp", 3, "College() deadlockfree", False),
    PlainRow("dining_philosophers.csp", 5, "College() deadlockfree", False),
    PlainRow("dining_philosophers.csp", 3, "MixedCollege() deadlockfree", True),
    PlainRow("dining_philosophers.csp", 5, "MixedCollege() deadlockfree", True),
    PlainRow("peterson.csp", 3, "System() deadlockfree", True),
    PlainRow("milner_scheduler.csp", 5, "Scheduler() deadlockfree", True),
    PlainRow("milner_scheduler.csp", 5, "Handshakes() deadlockfree", True),
    PlainRow("readers_writers.csp", 3, "Library() deadlockfree", True),
    PlainRow(f"{BENCH}/dp.csp", 5, "System() reaches eatsWithoutForks", False),
    PlainRow(f"{BENCH}/ms.csp", 5, "System() deadlockfree", True),
    PlainRow(f"{BENCH}/pet.csp", 3, "System() deadlockfree", True),
    PlainRow(f"{BENCH}/rw.csp", 3, "System() deadlockfree", True),
    PlainRow(f"{BENCH}/lec.csp", 3, "System() reaches miscounted", False),
    PlainRow(f"{BENCH}/lecd.csp", 3, "System() reaches miscounted", False),
)
