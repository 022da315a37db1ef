"""The table of Sun, Liu, Roychoudhury, Liu and Dong (FM 2009): models, verdicts, and seconds of their PAT.

Their number of processes is that of the nodes for LE and that of the threads for ML. For KV and Stack it is
all of them: the writer and its readers, the watched process and the workers beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("examples/identical_processes")

#: the notions in the order of the paper's columns
NOTIONS = ("none", "pwf", "psf")


@dataclass(frozen=True)
class System:
    """One model of the paper, as it stands among the examples."""

    name: str
    file: str
    assertion: str
    counted: str  # the process of which there are many
    others: int  # how many of the paper's processes are not among these
    cutoff: int  # what is enough to decide it for any number

    @property
    def model(self) -> Path:
        return FOLDER / self.file


@dataclass(frozen=True)
class Line:
    """One line of the paper's table: under each notion the verdict and the seconds. None: not known."""

    system: System
    processes: int | None  # None: any number
    verdicts: tuple[bool | None, bool | None, bool | None]
    seconds: tuple[float | None, float | None, float | None]

    @property
    def size(self) -> str:
        """The number of processes as it is shown."""
        return "∞" if self.processes is None else str(self.processes)

    @property
    def sizes(self) -> dict[str, int]:
        return {} if self.processes is None else {"N": self.processes - self.system.others}

    @property
    def options(self) -> tuple[str, ...]:
        if self.processes is not None:
            return ("--counters",)
        numbers = f"{self.system.counted}=inf"
        return "--counters", "--processes", numbers, "--cutoff", str(self.system.cutoff)


LE = System("LE", "leader_complete.csp", "Network() |= <>[] oneLeader", "Follower", 0, 2)
KV = System("KV", "register.csp", "System() |= [](read_inv -> <> read_res)", "Reader", 1, 0)
STACK = System("Stack", "lock_free_stack.csp", "System() |= [](push_inv -> <> push_res)", "Worker", 1, 1)
ML = System("ML", "meta_lock.csp", "System() |= []<> access", "Thread", 0, 2)

LINES = (
    Line(LE, 10, (False, True, True), (0.04, 0.06, 0.06)),
    Line(LE, 100, (False, True, True), (0.04, 0.27, 0.28)),
    Line(LE, 1_000, (False, True, True), (0.04, 2.26, 2.75)),
    Line(LE, 10_000, (False, True, True), (0.04, 23.89, 68.78)),
    Line(LE, None, (False, True, True), (0.06, 264.78, 463.9)),
    Line(KV, 2, (False, True, True), (0.05, 0.6, 0.6)),
    Line(KV, 3, (False, True, True), (0.05, 4.56, 4.59)),
    Line(KV, 4, (False, True, True), (0.05, 29.2, 30.24)),
    Line(KV, 5, (False, True, True), (0.06, 174.5, 187.1)),
    Line(KV, None, (False, None, None), (0.12, None, None)),
    Line(STACK, 5, (False, False, False), (0.06, 0.78, 0.74)),
    Line(STACK, 7, (False, False, False), (0.06, 11.3, 12.1)),
    Line(STACK, 9, (False, False, False), (0.06, 158.6, 191.8)),
    Line(STACK, 10, (False, False, False), (0.05, 596.1, 780.3)),
    Line(ML, 10, (True, True, True), (0.11, 0.11, 0.11)),
    Line(ML, 100, (True, True, True), (1.04, 1.04, 1.04)),
    Line(ML, 1_000, (True, True, True), (11.04, 11.08, 11.08)),
    Line(ML, None, (True, True, True), (13.8, 13.8, 13.8)),
)

_NOT_TRIED = (None, None, None)
#: larger than what is in the paper; the verdicts are those of its smaller sizes
BEYOND = (
    Line(LE, 100_000, (False, True, True), _NOT_TRIED),
    Line(KV, 6, (False, True, True), _NOT_TRIED),
    Line(KV, 7, (False, True, True), _NOT_TRIED),
    Line(KV, 8, (False, True, True), _NOT_TRIED),
    Line(STACK, 12, (False, False, False), _NOT_TRIED),
    Line(ML, 10_000, (True, True, True), _NOT_TRIED),
)


def seconds_of(system: str, size: str, notion: str) -> str:
    """What the paper says about one entry; nothing for sizes that are not in it."""
    for line in LINES:
        if (line.system.name, line.size) == (system, size):
            value = line.seconds[NOTIONS.index(notion)]
            return "not feasible" if value is None else f"{value:g}"
    return ""
