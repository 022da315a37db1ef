"""Looks for trivial reasons why a formula holds (docs/explanation/vacuity.md).

Nothing is claimed that was not checked: that a part of the formula plays no role is known since the formula
holds with the strongest constant in its place. That is seen from the formula itself, given which atoms never
change, or checked in the explored system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

from fairlead.base.diagnostics import nearest
from fairlead.base.records import dataclass
from fairlead.base.tuning import tuning
from fairlead.engine import _native
from fairlead.engine.atoms import EngineAtoms
from fairlead.logic.automata.validity import Exclusive
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.ltl import Atom, Constant, Formula, Not, atoms
from fairlead.logic.mutants import (
    Part,
    Role,
    condition_of,
    conjuncts,
    has_too_many_parts,
    parts,
    role_of,
    unneeded,
    with_values,
    without_constants,
)
from fairlead.model.assertion import EventAtom, Meaning
from fairlead.model.labels import is_internal
from fairlead.model.system import Proposition
from fairlead.outcome.events import Phase
from fairlead.outcome.finding import Finding
from fairlead.outcome.limits import Clock
from fairlead.outcome.vacuity import ConstantAtom, Vacuity, VacuityCheck, VacuityKind
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.target import Target

#: of more atoms it is not examined which are events that exclude each other
_MOST_ATOMS = 40
_EXCLUSIVE = "no two events happen in one step"


@dataclass(frozen=True)
class Examined:
    """A formula that holds, with what its logic knows how to do.

    `holds` checks another formula over the same atoms, under the same fairness, in the explored system;
    `is_valid` tells whether one holds in every system in which some atoms exclude each other. `always` says
    that a formula holds at every position, `text` shows one as its author would write it. With `only_fair`,
    not all executions count.
    """

    formula: Formula
    meanings: Mapping[Atom, Meaning]
    holds: Callable[[Formula], bool]
    is_valid: Callable[[Formula, Exclusive], bool]
    always: Callable[[Formula], Formula]
    text: Callable[[Formula], str]
    only_fair: bool


def only_fair_count(asked: FairnessAsked, finding: Finding) -> bool:
    """Whether not all executions count."""
    return asked.notion is not Fairness.NONE or asked.formula is not None or bool(finding.annotations)


def find_triviality(target: Target, examined: Examined, how: VacuityCheck, clock: Clock) -> Vacuity | None:
    """A trivial reason why the formula holds; raises `Stopped` at a limit.

    There is a fair execution, so that `false` does not hold.
    """
    exclusive = _exclusive(examined.meanings)
    if examined.is_valid(examined.formula, ()):
        return Vacuity(VacuityKind.TAUTOLOGY)
    if exclusive and examined.is_valid(examined.formula, exclusive):
        return Vacuity(VacuityKind.TAUTOLOGY, detail=_EXCLUSIVE)
    if has_too_many_parts(examined.formula):
        return None
    graph = _explored(target, examined, how, clock)
    if graph is None:
        return None
    reason = _Facts(target, examined, exclusive, graph, clock).reason()
    is_worth_it = how is VacuityCheck.ALWAYS or graph.state_count <= tuning().mutated_system
    if reason is None and target.is_whole and is_worth_it:
        reason = _Mutants(examined, how, graph.state_count, clock).reason()
    return reason


def _exclusive(meanings: Mapping[Atom, Meaning]) -> Exclusive:
    """Events that are never true at once, since a step has one event."""
    events = [(atom, meaning.labels) for atom, meaning in meanings.items() if isinstance(meaning, EventAtom)]
    if len(events) > _MOST_ATOMS:
        return ()
    return [(a, b) for (a, some), (b, others) in combinations(events, 2) if some.isdisjoint(others)]


def _explored(target: Target, examined: Examined, how: VacuityCheck, clock: Clock) -> _native.Graph | None:
    """The complete graph of the system, if it is known or small; without steps where no atom needs them."""
    limit = tuning().vacuity_exploration if how is VacuityCheck.ALWAYS else tuning().mutated_system
    known = target.explored()
    if known is not None and (
        target.keeps_steps(known)
        or all(isinstance(examined.meanings[atom], Proposition) for atom in atoms(examined.formula))
    ):
        return known
    if known is not None and known.state_count > limit:
        return None
    graph = target.graph()
    with target.working(Phase.TRIVIALITY, clock, graph):
        return graph if target.explore(min(limit, target.most_states)) else None


# ---------------------------------------------------------------- what never changes


class _Facts:
    """Reasons that follow from which atoms are never true in the explored states, or always."""

    def __init__(
        self, target: Target, examined: Examined, exclusive: Exclusive, graph: _native.Graph, clock: Clock
    ) -> None:
        self._target = target
        self._examined = examined
        self._exclusive = exclusive
        self._graph = graph
        self._clock = clock

    def reason(self) -> Vacuity | None:
        values = self._values()
        never = {atom: value for atom, value in values.items() if not value}
        for constants, wanted in ((never, lambda part: True), (values, _says_something)):
            if not constants:
                continue
            found = [part for part in self._unneeded(constants) if wanted(part)]
            if found:
                return self._told(min(found, key=_rank), constants)
        return None

    def _values(self) -> dict[Atom, bool]:
        """The atoms that have one value throughout."""
        asked = atoms(self._examined.formula)
        with self._target.working(Phase.TRIVIALITY, self._clock, self._graph):
            engine = EngineAtoms(self._graph, self._target.proposition)
            for atom in asked:
                engine.add(self._examined.meanings[atom])
            seen = engine.native.seen_values()
        return {
            atom: is_true
            for atom, (is_true, is_false) in zip(asked, seen, strict=True)
            if is_true is not is_false
        }

    def _unneeded(self, constants: Mapping[Atom, bool]) -> Iterator[Part]:
        for conjunct in conjuncts(self._examined.formula):
            if not any(atom in constants for atom in atoms(conjunct)):
                continue
            yield from unneeded(conjunct, lambda mutant: self._follows(mutant, constants), trivial=False)

    def _follows(self, formula: Formula, constants: Mapping[Atom, bool]) -> bool:
        """Whether a formula holds just since these atoms have these values throughout."""
        self._clock.check()
        plain = without_constants(with_values(formula, constants))
        if isinstance(plain, Constant):
            return plain.value
        return self._examined.is_valid(plain, self._exclusive)

    def _told(self, part: Part, constants: Mapping[Atom, bool]) -> Vacuity:
        """The reason, with the atoms to blame and no others."""
        blamed = {atom: value for atom, value in constants.items() if atom in atoms(part.whole)}
        for atom in list(blamed):
            fewer = {other: value for other, value in blamed.items() if other != atom}
            if self._follows(part.mutant, fewer):
                blamed = fewer
        told = tuple(self._constant(atom, value) for atom, value in blamed.items())
        return Vacuity(
            VacuityKind.PROPOSITION,
            self._examined.text(part.formula),
            self._examined.text(without_constants(part.mutant)),
            atoms=told,
            asks_nothing=role_of(part) is Role.CONSEQUENT,
        )

    def _constant(self, atom: Atom, value: bool) -> ConstantAtom:
        meaning = self._examined.meanings[atom]
        hint = None
        if isinstance(meaning, EventAtom) and len(meaning.labels) == 1 and not value:
            hint = self._likely(min(meaning.labels))
        return ConstantAtom(self._examined.text(atom), value, isinstance(meaning, EventAtom), hint)

    def _likely(self, label: str) -> str | None:
        """What may have been meant by an event that never happens: a similar one that does, if possible."""
        events = {self._graph.action(number)[0] for number in self._graph.used_actions()}
        known = sorted(event for event in events if not is_internal(event))
        family = [event for event in known if _name(event) == _name(label)]
        return nearest(label, family) or nearest(label, known)


def _name(event: str) -> str:
    """The name of an event without what comes after it."""
    length = next((place for place, letter in enumerate(event) if letter in ".[!?"), len(event))
    return event[:length]


def _says_something(part: Part) -> bool:
    """Whether a part is not just a condition under which something else is asked for."""
    return part.is_positive and not isinstance(part.formula, Not)


# ---------------------------------------------------------------- mutants


class _Enough(Exception):
    """So many mutants were checked that the others are not worth it."""


class _Mutants:
    """Reasons that are found by checking mutants of the formula in the explored system."""

    def __init__(self, examined: Examined, how: VacuityCheck, states: int, clock: Clock) -> None:
        self._examined = examined
        self._how = how
        self._clock = clock
        self._left = min(tuning().most_mutants, tuning().mutant_work // max(states, 1))

    def reason(self) -> Vacuity | None:
        trivial = self._how is not VacuityCheck.ALWAYS
        found: list[Part] = []
        try:
            for conjunct in conjuncts(self._examined.formula):
                found += unneeded(conjunct, self.holds, trivial=trivial)
        except _Enough:
            pass
        return self._told(min(found, key=_rank)) if found else None

    def holds(self, formula: Formula) -> bool:
        """Whether a formula holds under the same fairness."""
        plain = without_constants(formula)
        if isinstance(plain, Constant):
            return plain.value
        if self._how is not VacuityCheck.ALWAYS:
            if self._left == 0:
                raise _Enough
            self._left -= 1
        self._clock.check()
        return self._examined.holds(plain)

    def _told(self, part: Part) -> Vacuity:
        examined = self._examined
        role = role_of(part)
        kind = {Role.CONSEQUENT: VacuityKind.ANTECEDENT, Role.ALTERNATIVE: VacuityKind.STRONGER}
        told = None
        condition = condition_of(part)
        if condition is not None and self._is_never_true(condition):
            told = examined.text(condition)
        return Vacuity(
            VacuityKind.PART if role is None else kind.get(role, VacuityKind.PART),
            examined.text(part.formula),
            examined.text(without_constants(part.mutant)),
            told,
            examined.only_fair,
            asks_nothing=role is Role.CONSEQUENT,
        )

    def _is_never_true(self, condition: Formula) -> bool:
        try:
            return self.holds(self._examined.always(Not(condition)))
        except _Enough:
            return False


_ORDER = (Role.CONSEQUENT, Role.OPERAND, None, Role.ALTERNATIVE)


def _rank(part: Part) -> tuple[int, int]:
    """The most telling part comes first: what asks for nothing, then what is large."""
    return _ORDER.index(role_of(part)), -sum(1 for _ in parts(part.formula))
