"""Finds the verdict under every named notion, with no more searches than needed.

none ⇒ ewf ⇒ esf ⇒ sgf and none ⇒ pwf ⇒ psf ⇒ sgf: an execution that a notion calls fair is fair by those
before it. So what holds under one holds under those after it, and an execution that violates the property
speaks under every notion by which it is fair.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from fairlead.base.records import dataclass
from fairlead.checker.result import Result
from fairlead.evidence.fair_loop import is_fair
from fairlead.logic.fairness.notions import CLASSIC, Fairness, Subject
from fairlead.outcome.finding import Verdict

#: what holds under a weak notion need not be searched under a stronger one; there are fewer processes than
#: events, so that these are cheaper
WEAKEST_FIRST = tuple(
    sorted(CLASSIC, key=lambda notion: (len(notion.implied), notion.subject is Subject.EVENTS))
)


class Known(Enum):
    """How a verdict is known."""

    SEARCHED = "searched"
    IMPLIED = "implied by another notion"
    SHOWN = "shown by the same execution"


@dataclass(frozen=True)
class NotionVerdict:
    """The verdict under a notion; `because_of` is the notion whose search decided it."""

    notion: Fairness
    verdict: Verdict
    known: Known
    because_of: Fairness
    result: Result | None = None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "fairness": self.notion.value,
            "verdict": self.verdict.value,
            "known": self.known.value,
            "because_of": self.because_of.value,
        }


def at_least(notion: Fairness) -> frozenset[Fairness]:
    """The notions that demand at least what this one does."""
    return frozenset(other for other in CLASSIC if notion in other.implied)


def verdicts(check: Callable[[Fairness], Result]) -> tuple[NotionVerdict, ...]:
    """The verdicts under the six notions that demand more and more; `check` searches under one."""
    known: dict[Fairness, NotionVerdict] = {}
    for notion in WEAKEST_FIRST:
        if notion in known:
            continue
        result = check(notion)
        known[notion] = NotionVerdict(notion, result.verdict, Known.SEARCHED, notion, result)
        if result.verdict is Verdict.HOLDS:
            for other in at_least(notion) - known.keys():
                known[other] = NotionVerdict(other, Verdict.HOLDS, Known.IMPLIED, notion)
        elif result.verdict is Verdict.VIOLATED:
            for other in [other for other in CLASSIC if other not in known]:
                if notion in at_least(other):
                    known[other] = NotionVerdict(other, Verdict.VIOLATED, Known.IMPLIED, notion, result)
                elif _is_fair_by(result, other):
                    known[other] = NotionVerdict(other, Verdict.VIOLATED, Known.SHOWN, notion, result)
    return tuple(known[notion] for notion in CLASSIC)


def _is_fair_by(result: Result, notion: Fairness) -> bool:
    """Whether the counterexample is fair by another notion as well."""
    evidence = result.evidence
    if evidence is None or not evidence.run.loop:
        return False
    # in a terminal set the loop that is shown is one of many
    if evidence.explanation is not None:
        return False
    return is_fair(evidence.system, evidence.run, notion)
