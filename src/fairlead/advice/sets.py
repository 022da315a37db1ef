"""The least sets of assumptions under which a formula holds, found by what excludes each violation.

An execution that violates the formula and is fair as assumed is unfair to others: one of these has to be
assumed besides. So a set is enough iff it hits, for every such execution, one of those that exclude it.
The cheapest set that hits all that are known so far is tried; it is enough, or there is an execution that it
does not exclude (implicit hitting sets). That needs few searches, since each gives all the ways at once in
which violations are unfair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from fairlead.advice.assumption import Assumption, Strength, in_order
from fairlead.advice.hitting import bits, cheapest_hitting_set
from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Subject
from fairlead.search.survey import Unfairness, ViolationSurvey

#: what an assumption costs: a weak one, one that no formula can name, a strong one. No number of the cheaper
#: ones costs as much as one of the next
_WEAK, _UNNAMED, _STRONG = 1, 1 << 16, 1 << 32
#: different ways that one search is asked for
WAYS_AT_ONCE = 2000


@dataclass(frozen=True)
class Enough:
    """A set under which the formula holds, and no part of it does; `is_least` if there is none that costs
    less."""

    assumptions: tuple[Assumption, ...]
    is_least: bool


class AssumptionSets:
    """Looks for sets of assumptions about the events and processes of one system."""

    def __init__(self, survey: ViolationSurvey) -> None:
        self._survey = survey
        self._assumptions = [
            Assumption(subject, name, strength)
            for subject, names in (
                (Subject.PROCESSES, survey.processes),
                (Subject.EVENTS, survey.events),
            )
            for name in names
            for strength in Strength
        ]
        self._numbers = {assumption: number for number, assumption in enumerate(self._assumptions)}
        self._costs = [_cost(assumption) for assumption in self._assumptions]
        self._implied = [
            0 if (weaker := assumption.weaker) is None else 1 << self._numbers[weaker]
            for assumption in self._assumptions
        ]
        #: for each known violation the assumptions that exclude it
        self._ways: dict[int, None] = {}

    @property
    def strongest(self) -> tuple[Assumption, ...]:
        """Strong fairness to every event and process."""
        return tuple(one for one in self._assumptions if one.strength is Strength.STRONG)

    def is_enough(self, assumptions: Iterable[Assumption]) -> bool:
        """Whether the formula holds under a set; violations that it lets through are kept in mind."""
        chosen = in_order(assumptions)
        if any(not way & self._members(chosen) for way in self._ways):
            return False
        found, _ = self._survey.ways([assumption.conjunct for assumption in chosen], WAYS_AT_ONCE)
        for unfairness in found:
            self._ways.setdefault(self._way(unfairness))
        return not found

    def least(self, subjects: Collection[Subject], others: Sequence[Enough] = ()) -> Enough | None:
        """The cheapest set about such subjects which is enough, and not just more than one of the others.

        None if there is none.
        """
        allowed = self._members(one for one in self._assumptions if one.subject in subjects)
        blocked = [self._members(other.assumptions) for other in others]
        is_least = True
        while True:
            ways = [way & allowed for way in self._ways]
            if not all(ways):
                return None
            hitting = cheapest_hitting_set(ways, self._costs, blocked, self._implied)
            if hitting is None:
                return None
            is_least = is_least and hitting.is_cheapest
            chosen = in_order(self._of(hitting.members))
            if self.is_enough(chosen):
                return Enough(chosen, is_least)

    def _members(self, assumptions: Iterable[Assumption]) -> int:
        members = 0
        for assumption in assumptions:
            members |= 1 << self._numbers[assumption]
        return members

    def _of(self, members: int) -> Iterator[Assumption]:
        return (self._assumptions[number] for number in bits(members))

    def _way(self, unfairness: Unfairness) -> int:
        """The assumptions that exclude a violation."""
        groups = (
            (Subject.EVENTS, Strength.WEAK, unfairness.weak_events),
            (Subject.EVENTS, Strength.STRONG, unfairness.strong_events),
            (Subject.PROCESSES, Strength.WEAK, unfairness.weak_processes),
            (Subject.PROCESSES, Strength.STRONG, unfairness.strong_processes),
        )
        return self._members(
            Assumption(subject, name, strength) for subject, strength, names in groups for name in names
        )


def _cost(assumption: Assumption) -> int:
    if not assumption.can_be_written:
        return _UNNAMED + (_STRONG if assumption.strength is Strength.STRONG else 0)
    return _STRONG if assumption.strength is Strength.STRONG else _WEAK
