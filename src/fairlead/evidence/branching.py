"""Judges demonstrations of formulas of branching time: every run in them, and what it is there for.

Each run is replayed, must be (the beginning of) a fair path, and must show its formula by what is true at its
positions. What runs cannot show, that something holds on all fair paths, is computed again on all states
that can be reached, if they are not too many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.fair_loop import NEEDS_LOOP
from fairlead.evidence.labelling import Labelling
from fairlead.evidence.lasso_ltl import Position, Word, holds_on
from fairlead.evidence.paths import FairPaths
from fairlead.evidence.remembering import RememberingSystem
from fairlead.evidence.stored import position_problem
from fairlead.evidence.universal import Looked, UniversalParts
from fairlead.evidence.validate import Claim
from fairlead.logic.branching import StateFormulas, letters_of, with_letters
from fairlead.logic.ltl import (
    TRUE,
    Always,
    And,
    Atom,
    Constant,
    Exists,
    Formula,
    Next,
    Not,
    Or,
    Until,
    children,
    fold,
)
from fairlead.logic.wording import spelt
from fairlead.model.assertion import Meaning
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.meaning import meaning_holds
from fairlead.model.run import Run
from fairlead.model.system import Proposition, State, Step, System
from fairlead.outcome.demonstration import Branch, Demonstration, PlacedBranch

#: true, false, or not known
Truth = bool | None


def _nothing() -> None:
    """Does nothing: there is no limit to watch."""


@dataclass(frozen=True)
class ShowsFormula(Claim):
    """The demonstration shows its formula at an initial state, and the run is the main run of it.

    `tick` is called now and then, and may stop the work.
    """

    demonstration: Demonstration
    meanings: Mapping[Atom, Meaning]
    paths: FairPaths = field(default_factory=FairPaths)
    tick: Callable[[], None] = _nothing

    def judge(self, system: System, run: Run) -> str | Explanation | None:
        """Judges every branch, and the formula by what they show."""
        if run != self.demonstration.run:
            return "the run is not the main run of the branches"
        judgement = _Judgement(RememberingSystem(system), self.meanings, self.paths, self.tick)
        problem = judgement.problem_with(self.demonstration)
        if problem is not None:
            return problem
        return UniversalParts.of(judgement.looked) if judgement.looked else None


@dataclass(frozen=True)
class _Place:
    """A position where a formula is judged: after so many steps, with what branches off there.

    `following` is the step by which the run continues, if it is on a run and not its end.
    """

    number: int
    state: State
    step: Step | None
    parts: Sequence[Branch]
    following: Step | None = None


def _places(placed: PlacedBranch) -> list[_Place]:
    """The positions of a run."""
    branch = placed.branch
    parts: dict[int, list[Branch]] = {}
    for position, some in branch.parts:
        parts.setdefault(position, []).extend(some)
    steps: list[Step | None] = [*branch.run.stem, *branch.run.loop]
    steps.append(branch.run.loop[0] if branch.run.loop else None)
    return [
        _Place(
            placed.offset + position,
            *branch.place(position, placed.entering),
            parts.get(position, ()),
            steps[position],
        )
        for position in range(branch.last + 1)
    ]


def _not_true(formula: Formula, position: int) -> str:
    return f"{spelt(formula)} is not true at position {position}"


class _Judgement:
    """The judgement of one demonstration; `looked` are the formulas that no run shows."""

    def __init__(
        self, system: System, meanings: Mapping[Atom, Meaning], paths: FairPaths, tick: Callable[[], None]
    ) -> None:
        self._system = system
        self._meanings = meanings
        self._paths = paths
        self._tick = tick
        self._labelling = Labelling(system, meanings, paths, tick)
        self._about_states = StateFormulas()
        self.looked: list[Looked] = []

    def problem_with(self, demonstration: Demonstration) -> str | None:
        """What is wrong with it, or None."""
        start = _Place(0, demonstration.start, None, demonstration.branches)
        if not all(branch.run.start == demonstration.start for branch in demonstration.branches):
            return "a run does not start in the initial state"
        for placed in demonstration.all_branches():
            self._tick()
            problem = self._problem_with_branch(placed)
            if problem is not None:
                return f"{spelt(placed.branch.formula)} from position {placed.offset}: {problem}"
        if self._truth(demonstration.formula, start) is False:
            return f"the initial state does not satisfy {spelt(demonstration.formula)}"
        return None

    # ------------------------------------------------------------ a branch

    def _problem_with_branch(self, placed: PlacedBranch) -> str | None:
        branch, run = placed.branch, placed.branch.run
        for position, parts in branch.parts:
            problem = position_problem(branch, position)
            if problem is not None:
                return problem
            state, _ = branch.place(position, placed.entering)
            if not all(part.run.start == state for part in parts):
                return f"what branches off at position {position} starts in another state"
        problem = self._paths.replay_problem(self._system, run)
        if problem is not None:
            return problem
        if run.loop:
            problem = self._paths.loop_problem(self._system, run)
        elif not branch.parts_at(branch.last) and not self._paths.continue_every_run(self._system):
            problem = f"{NEEDS_LOOP}: it may have no fair continuation"
        return problem or self._shows_not(placed)

    def _shows_not(self, placed: PlacedBranch) -> str | None:
        """Why the run does not show the formula of its branch, or None."""
        branch = placed.branch
        path = branch.formula.operand
        places = _places(placed)
        if self._about_states.make_path(path):
            match path:
                case Next(operand):
                    if branch.last == 0:
                        return "the run has no step"
                    return self._missing(operand, places[1])
                case Until(left, right):
                    return self._until_not(left, right, places)
                case Always(operand) if branch.run.loop or operand == TRUE:
                    problems = (self._missing(operand, place) for place in places)
                    return next((problem for problem in problems if problem is not None), None)
        if not branch.run.loop:
            return "a run without a loop cannot show it"
        return self._word_not(path, places, len(branch.run.stem) + 1)

    def _missing(self, formula: Formula, place: _Place) -> str | None:
        if self._truth(formula, place) is False:
            return _not_true(formula, place.number)
        return None

    def _until_not(self, left: Formula, right: Formula, places: Sequence[_Place]) -> str | None:
        # the goal lies before or at the first position without what has to be true on the way
        blocked = (place.number for place in places if self._judged(left, place)[0] is False)
        block = next(blocked, None)
        goal = self._goal(right, [place for place in places if block is None or place.number <= block])
        if goal is None:
            if block is not None and self._goal(right, places) is not None:
                return _not_true(left, block)
            return f"{spelt(right)} is true at no position of the run"
        for place in places[:goal]:
            self._truth(left, place)  # reports the formulas that had to be computed
        return None

    def _goal(self, formula: Formula, places: Sequence[_Place]) -> int | None:
        """Where a run has reached its goal: a position at which propositions and branches alone show it, or
        the last, or any; one at which it is not known only if there is no other."""
        for number, place in enumerate(places):
            if self._evaluated(formula, place, _given(place)) is True:
                return number
        unknown: tuple[int, list[Looked]] | None = None
        last = len(places) - 1
        order: list[int] = [last, *range(last)]
        for number in order:
            value, looked = self._judged(formula, places[number])
            if value is True:
                self.looked += looked
                return number
            if value is None and unknown is None:
                unknown = number, looked
        if unknown is None:
            return None
        self.looked += unknown[1]
        return unknown[0]

    def _word_not(self, path: Formula, places: Sequence[_Place], back: int) -> str | None:
        """Evaluates a path formula of CTL* with its state formulas for letters.

        There are no negations above the letters, so that what is not known may be taken for false, and if
        that will not do, for true.
        """
        letters = letters_of(path, self._about_states)
        judged = {letter: [self._judged(letter, place) for place in places] for letter in letters}
        looked = [entry for row in judged.values() for _, entries in row for entry in entries]
        for accepted in ((True,), (True, None)):
            truth = {
                letter: frozenset(number for number, (value, _) in enumerate(row) if value in accepted)
                for letter, row in judged.items()
            }
            if self._holds_on_letters(path, truth, len(places), back):
                self.looked += [entry for entry in looked if entry.why_not is None or None in accepted]
                return None
        return f"{spelt(path)} is not true on the run"

    def _holds_on_letters(
        self, path: Formula, truth: Mapping[Formula, frozenset[int]], length: int, back: int
    ) -> bool:
        """Whether a lasso satisfies a path formula, by the semantics of LTL, given where its state formulas
        are true; after the last position comes `back`."""
        letters = {letter: Atom(f"letter {number}") for number, letter in enumerate(truth)}
        graph = ExplicitGraph(length, 0, {}, {letters[letter].text: where for letter, where in truth.items()})
        meanings = {atom: Proposition(atom.text, atom.text) for atom in letters.values()}
        word = Word(tuple(Position(number, None) for number in range(length)), back)
        return holds_on(with_letters(path, self._about_states, letters.__getitem__), word, meanings, graph)

    # ------------------------------------------------------------ a state formula

    def _truth(self, formula: Formula, place: _Place) -> Truth:
        """Whether a state formula is true at a position; what no run shows is noted."""
        value, looked = self._judged(formula, place)
        self.looked += looked
        return value

    def _judged(self, formula: Formula, place: _Place) -> tuple[Truth, list[Looked]]:
        """Whether a state formula is true at a position: by the branches, or else by looking at all states;
        and what was examined."""
        known = _given(place)
        value = self._evaluated(formula, place, known)
        looked: list[Looked] = []
        for part, literal in _quantified(formula).items():
            if value is not None:
                break
            if part not in known:
                found = self._labelling.truth(part, place.state, place.step)
                if isinstance(found, str):
                    known[part] = None
                    looked.append(Looked(literal, place.number, found))
                else:
                    known[part] = found
                    looked.append(Looked(part if found else Not(part), place.number, None))
                value = self._evaluated(formula, place, known)
        return value, [entry for entry in looked if value is None or entry.why_not is None]

    def _evaluated(self, formula: Formula, place: _Place, known: Mapping[Formula, Truth]) -> Truth:
        def value(node: Formula, parts: list[Truth]) -> Truth:
            if isinstance(node, Atom):
                return meaning_holds(self._system, self._meanings[node], place.state, place.step)
            if isinstance(node, Exists):
                return self._shown_on_the_way(node, place)
            return _connected(node, parts)

        return fold(dict(known), formula, value, _parts_here)

    def _shown_on_the_way(self, formula: Exists, place: _Place) -> Truth:
        """True if the run at whose position the formula is judged shows it by its next step."""
        if place.following is None or not isinstance(formula.operand, Next):
            return None
        following = _Place(place.number + 1, place.following.target, place.following, ())
        return self._evaluated(formula.operand.operand, following, {}) or None


def _given(place: _Place) -> dict[Formula, Truth]:
    """What branches show at a position."""
    return {part.formula: True for part in place.parts}


def _parts_here(node: Formula) -> tuple[Formula, ...]:
    """The parts of a state formula that speak of the same position."""
    return () if isinstance(node, Exists) else children(node)


def _quantified(formula: Formula) -> dict[Exists, Formula]:
    """The path quantifiers of a state formula that are not below others, left to right, with the negation
    before them if there is one."""
    found: dict[Exists, Formula] = {}
    pending = [formula]
    while pending:
        node = pending.pop()
        quantifier = node.operand if isinstance(node, Not) else node
        if isinstance(quantifier, Exists):
            found.setdefault(quantifier, node)
        else:
            pending += reversed(_parts_here(node))
    return found


def _connected(node: Formula, parts: list[Truth]) -> Truth:
    """A boolean connective where some parts are not known."""
    match node:
        case Constant(value):
            return value
        case Not():
            return _not(parts[0])
        case And():
            return _and(parts[0], parts[1])
        case Or():
            return _not(_and(_not(parts[0]), _not(parts[1])))
    raise AssertionError(node)


def _not(value: Truth) -> Truth:
    return None if value is None else not value


def _and(left: Truth, right: Truth) -> Truth:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True
