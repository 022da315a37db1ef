"""The table of Sun, Liu, Roychoudhury, Liu and Dong (FM 2009), with processes counted.

Their number of processes is that of the nodes for LE and that of the threads for ML. For KV and Stack it is
all of them: the writer and its readers, the watched process and the other workers.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness
from fairlead.papers.rows import (
    Counted,
    Published,
    Question,
    Row,
    Size,
    Table,
    Unbounded,
    times,
)

#: the notions in the order of the paper's columns
NOTIONS = (Fairness.NONE, Fairness.PROCESS_WEAK, Fairness.PROCESS_STRONG)
_COLUMNS = ("No Fairness", "Weak Fairness", "Strong Fairness")
_RESULTS = {"true": True, "false": False, "?": None}


@dataclass(frozen=True)
class System:
    """Our model of one system: the process of which there are many, how many of the paper's processes are
    not among these, what cutoff is enough for any number, and what of the model is ours."""

    name: str
    model: str
    assertion: str
    counted: str
    others: int
    cutoff: int
    reconstruction: str

    def question(self, size: Size, fairness: Fairness) -> Question:
        """The question at one size."""
        if isinstance(size, int):
            constants = (("N", size - self.others),)
            return Question(self.model, self.assertion, fairness, constants, counted=Counted())
        return Question(self.model, self.assertion, fairness, counted=Counted(self.counted, self.cutoff))

    @property
    def claim(self) -> str:
        """The formula."""
        return self.assertion.partition(" |= ")[2]


_FOLDER = "identical_processes"
LE = System(
    "LE",
    f"{_FOLDER}/leader_complete.csp",
    "Network() |= <>[] oneLeader",
    "Follower",
    0,
    2,
    "LE: the paper cites Fischer and Jiang (2006) and prints no protocol. In ours leaders meet by "
    "handshakes, and what makes the detector right is a process of its own.",
)
KV = System(
    "KV",
    f"{_FOLDER}/register.csp",
    "System() |= [](read_inv -> <> read_res)",
    "Reader",
    1,
    0,
    "KV: the paper describes the register in words. That K is 3, what it holds at first, and where the "
    "way down begins are decided by us.",
)
STACK = System(
    "Stack",
    f"{_FOLDER}/lock_free_stack.csp",
    "System() |= [](push_inv -> <> push_res)",
    "Worker",
    1,
    1,
    "Stack: the paper describes it in a sentence. The room for two elements, and that one process is "
    "watched while the others push and pop, are decided by us.",
)
ML = System(
    "ML",
    f"{_FOLDER}/meta_lock.csp",
    "System() |= []<> access",
    "Thread",
    0,
    2,
    "ML: the paper cites Agesen et al. (1999) and prints no algorithm. Ours is much simplified; a lock "
    "is handed over by a handshake.",
)
SYSTEMS = {system.name: system for system in (LE, KV, STACK, ML)}

#: model, processes; result, PAT and SPIN without fairness, under weak and under strong fairness
_PRINTED = """
LE     10     false  0.04   0.015  true   0.06    320   true   0.06   NA
LE     100    false  0.04   0.015  true   0.27    NF    true   0.28   NA
LE     1000   false  0.04   NA     true   2.26    NA    true   2.75   NA
LE     10000  false  0.04   NA     true   23.89   NA    true   68.78  NA
LE     ∞      false  0.06   NA     true   264.78  NA    true   463.9  NA
KV     2      false  0.05   0      true   0.6     1.14  true   0.6    NA
KV     3      false  0.05   0      true   4.56    61.2  true   4.59   NA
KV     4      false  0.05   0.015  true   29.2    NF    true   30.24  NA
KV     5      false  0.06   0.015  true   174.5   NF    true   187.1  NA
KV     ∞      false  0.12   NA     ?      NF      NA    ?      NF     NA
Stack  5      false  0.06   0.015  false  0.78    NF    false  0.74   NA
Stack  7      false  0.06   0.015  false  11.3    NF    false  12.1   NA
Stack  9      false  0.06   0.015  false  158.6   NF    false  191.8  NA
Stack  10     false  0.05   0.015  false  596.1   NF    false  780.3  NA
ML     10     true   0.11   21.5   true   0.11    107   true   0.11   NA
ML     100    true   1.04   NF     true   1.04    NF    true   1.04   NA
ML     1000   true   11.04  NA     true   11.08   NA    true   11.08  NA
ML     ∞      true   13.8   NA     true   13.8    NA    true   13.8   NA
"""

_OPEN = "KV ∞ under fairness was not decided there (“?”). With a cutoff of 0, “none” or “many”, it is."


def _rows() -> Iterator[Row]:
    for line in _PRINTED.split("\n")[1:-1]:
        name, number, *printed = line.split()
        system = SYSTEMS[name]
        size: Size = Unbounded.ANY if number == Unbounded.ANY.value else int(number)
        for place, (notion, column) in enumerate(zip(NOTIONS, _COLUMNS, strict=True)):
            result, pat, spin = printed[3 * place : 3 * place + 3]
            yield Row(
                name,
                size,
                system.claim,
                notion.value,
                system.question(size, notion),
                Published(f"Section 6, {column}", _RESULTS[result], times(("PAT", "SPIN"), (pat, spin))),
                system.reconstruction,
                remark=_OPEN if result == "?" else None,
            )


ROWS = tuple(_rows())

TABLES = (
    Table(
        "fm2009",
        "Processes counted",
        "Sun, Liu, Roychoudhury, Liu and Dong: Fair model checking with process counter "
        "abstraction. FM 2009. The table of Section 6",
        "Their times are seconds of PAT with counters and of SPIN without, on a Core 2 Quad 9550 with "
        "2.83 GHz and 2 GB; “NA” is not applicable, “NF” not feasible: out of memory, or more than "
        "four hours. Sizes are numbers of processes, ∞ is any number; we count processes too.",
        ROWS,
    ),
)
