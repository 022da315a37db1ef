"""The programs in tests/lang/promela/programs: what their headers say, and what SPIN answers by the table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.places import TESTS
from tests.support.promela import spin
from tests.support.promela.pan_report import PanReport
from tests.support.promela.spin import Way

FOLDER = TESTS / "lang" / "promela" / "programs"
TABLE = FOLDER / "expected.tsv"
HEADER = "program\tquestion\tanswer\terrors\tstates\ttransitions"
#: how each question of a header is asked
WAYS = {
    "safety": spin.COUNTING,
    "claim": spin.CLAIM,
    "acceptance": spin.ACCEPTANCE,
    "fair-acceptance": spin.FAIR_ACCEPTANCE,
    "progress": spin.NON_PROGRESS,
    "fair-progress": spin.FAIR_NON_PROGRESS,
    "ltl": spin.ACCEPTANCE,
    "fair-ltl": spin.FAIR_ACCEPTANCE,
}


@dataclass(frozen=True)
class Asked:
    """A line of a header: `safety: no error, since …`, or `ltl p: …`."""

    program: str
    question: str
    answer: str
    reason: str

    @property
    def text(self) -> str:
        """The program."""
        return (FOLDER / f"{self.program}.pml").read_text(encoding="utf-8")

    def way(self) -> Way:
        """How SPIN is asked."""
        kind, _, name = self.question.partition(" ")
        return WAYS[kind].for_claim(name) if name else WAYS[kind]


@dataclass(frozen=True)
class Expected:
    """A line of the table. Only finite runs are counted: other searches stop at the first error."""

    answer: str
    errors: int | None
    states: int | None
    transitions: int | None


@cache
def asked() -> tuple[Asked, ...]:
    """All questions of all headers."""
    return tuple(one for path in sorted(FOLDER.glob("*.pml")) for one in _header(path))


def _header(path: Path) -> list[Asked]:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"// ([a-z-]+(?: \w+)?): (.+?), since (.+)", line) for line in lines]
    return [Asked(path.stem, one[1], one[2], one[3]) for one in found if one and one[1].split()[0] in WAYS]


def table() -> dict[tuple[str, str], Expected]:
    """The table, by program and question."""
    first, *rest = TABLE.read_text(encoding="utf-8").splitlines()
    assert first == HEADER
    found = {}
    for program, question, answer, *numbers in (line.split("\t") for line in rest):
        found[program, question] = Expected(answer, *(None if one == "-" else int(one) for one in numbers))
    return found


def summary(report: PanReport, question: str) -> Expected:
    """What a report says, as it stands in the table."""
    assert report.is_complete or report.errors, report.cut_short
    answer = " and ".join(report.kinds()) or "no error"
    counted = question == "safety"
    return Expected(
        answer,
        report.errors if counted else None,
        report.stored if counted else None,
        report.edges if counted else None,
    )


def write_table() -> None:
    """Asks SPIN everything and writes the table; for whoever adds a program."""
    lines = [HEADER]
    for one in asked():
        found = summary(spin.verify(one.text, one.way()), one.question)
        numbers = (found.errors, found.states, found.transitions)
        shown = ["-" if number is None else str(number) for number in numbers]
        lines.append("\t".join([one.program, one.question, found.answer, *shown]))
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":  # python -m tests.support.promela.programs
    write_table()
