"""What a verifier that SPIN has generated prints, as values."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: sentences by which pan says that it has not explored everything it was asked to
_CUT_SHORT = (
    "max search depth too small",
    "depth limit reached",
    "out of memory",
    "reached -DMEMLIM bound",
    "VECTORSZ",
    "hash table full",
)


class UnreadableReport(Exception):
    """A text that is not a report of pan, or the report of a run that died."""


@dataclass(frozen=True)
class Violation:
    """One line `pan:1: … (at depth 7)`: what kind of error it is, and how deep the search was."""

    what: str
    depth: int


@dataclass(frozen=True)
class Unreached:
    """A state of a process that no execution reaches."""

    owner: str
    file: str
    line: int
    state: int
    text: str


@dataclass(frozen=True)
class PanReport:
    """The numbers and errors of one run of pan.

    `transitions` is what pan prints, stored plus matched. The initial state counts as the target of one.
    """

    errors: int
    stored: int
    matched: int
    transitions: int
    atomic_steps: int
    depth: int
    violations: tuple[Violation, ...]
    unreached: tuple[Unreached, ...]
    cut_short: str | None

    @property
    def is_complete(self) -> bool:
        """Whether everything was explored. If not, only an error that was found is an answer."""
        return self.cut_short is None

    @property
    def edges(self) -> int:
        """Transitions between stored states, without the step into the initial state."""
        return self.transitions - 1

    def kinds(self) -> list[str]:
        """The kinds of errors that were found, in one or two words each."""
        return sorted({kind_of(violation) for violation in self.violations})


#: what the sentences of pan begin with, and what they are called here
_KINDS = {
    "assertion violated - invalid array index": "index",
    "assertion violated": "assertion",
    "invalid end state": "invalid end state",
    "acceptance cycle": "acceptance cycle",
    "accept stutter": "acceptance cycle",
    "non-progress cycle": "non-progress cycle",
    "end state in claim reached": "claim",
    "event_trace error": "trace",
    "block in d_step seq": "blocked d_step",
}


def kind_of(violation: Violation) -> str:
    """The kind of an error; the sentence itself if it is a rare one."""
    return next((kind for start, kind in _KINDS.items() if violation.what.startswith(start)), violation.what)


def read_report(text: str) -> PanReport:
    """The values in the output of pan, standard error included."""
    errors = re.search(r"depth reached (\d+), errors: (\d+)", text)
    if errors is None:
        raise UnreadableReport(text.strip()[-400:] or "there is no output")
    return PanReport(
        errors=int(errors[2]),
        stored=_number(r"([\d.e+]+) states, stored", text),
        matched=_number(r"([\d.e+]+) states, matched", text),
        transitions=_number(r"([\d.e+]+) transitions \(=", text),
        atomic_steps=_number(r"([\d.e+]+) atomic steps", text),
        depth=int(errors[1]),
        violations=tuple(_violations(text)),
        unreached=tuple(_unreached(text)),
        cut_short=next((sentence for sentence in _CUT_SHORT if sentence in text), None),
    )


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if found is None:
        raise UnreadableReport(f"the report has no {pattern!r}")
    return int(float(found[1]))


def _violations(text: str) -> list[Violation]:
    found = re.findall(r"^pan:\d+: (.*?) \(at depth (-?\d+)\)", text, re.MULTILINE | re.DOTALL)
    return [Violation(" ".join(what.split()), int(depth)) for what, depth in found]


def _unreached(text: str) -> list[Unreached]:
    found = []
    for part in re.split(r"^unreached in ", text, flags=re.MULTILINE)[1:]:
        owner = part.split("\n", 1)[0].strip()
        for file, line, state, shown in re.findall(
            r'^\t(\S+):(\d+), state (\d+), "(.*)"$', part, re.MULTILINE
        ):
            found.append(Unreached(owner.removeprefix("proctype "), file, int(line), int(state), shown))
    return found
