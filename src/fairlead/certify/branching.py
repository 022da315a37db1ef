"""CTL: where each subformula is true, with distances to what it promises.

The note of a state lists nodes: the state as it was entered by steps of which the same atoms are true. A node
says for each path quantifier whether the formula is true there, and why, by a rank and by one of its steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.base.allowance import tick
from fairlead.base.records import dataclass
from fairlead.certify.container import Rejected
from fairlead.certify.proof import Closed, Emit, Need, numbers_in
from fairlead.certify.questions import Asked
from fairlead.certify.states import Encoded
from fairlead.logic.branching import FAIR_PATH, existential, is_ctl
from fairlead.logic.ltl import (
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
    subformulas,
)
from fairlead.model.assertion import EventAtom, ProcessAtom


class Subformulas:
    """The subformulas of a formula of CTL in existential form, operands first, by number."""

    def __init__(self, asked: Asked) -> None:
        formula, self.meanings = asked.formula()
        self.problem = branching_problem(asked, existential(formula))
        self.parts = list(subformulas(existential(formula)))
        self.place = {part: number for number, part in enumerate(self.parts)}
        self.atoms = [part for part in self.parts if isinstance(part, Atom)]
        #: those about which nodes make claims; that some path is fair goes without saying
        self.claims = [part for part in self.parts if isinstance(part, Exists) and part != FAIR_PATH]
        #: the atoms about the step into a state, as bits
        self.on_steps = sum(
            1 << number
            for number, atom in enumerate(self.atoms)
            if isinstance(self.meanings[atom], EventAtom | ProcessAtom)
        )

    def truth(self, letter: int, claimed: Mapping[Formula, bool]) -> list[bool]:
        """The truth of each part, from that of the atoms (as bits) and what is claimed."""
        atoms = {atom: bool(letter >> number & 1) for number, atom in enumerate(self.atoms)}
        found: list[bool] = []
        for part in self.parts:
            match part:
                case Constant(value):
                    found.append(value)
                case Atom():
                    found.append(atoms[part])
                case Not(operand):
                    found.append(not found[self.place[operand]])
                case And(left, right):
                    found.append(found[self.place[left]] and found[self.place[right]])
                case Or(left, right):
                    found.append(found[self.place[left]] or found[self.place[right]])
                case Exists():
                    found.append(claimed.get(part, True))
                case _:  # a path formula, which is neither true nor false of a node
                    found.append(False)
        return found


def branching_problem(asked: Asked, formula: Formula) -> str | None:
    """Why there are no certificates for a formula in existential form under this fairness, if so."""
    if asked.claim.get("finite_paths") is True:
        return "paths that may end cannot be certified yet"
    if not is_ctl(formula):
        return "formulas of CTL* that are not CTL cannot be certified yet"
    if asked.found_system.annotation_kinds or asked.fair is not None or not asked.notion.continues_every_run:
        return "CTL over paths that a run need not lead to cannot be certified yet"
    always = any(isinstance(part, Exists) and _is_lasting(part) for part in subformulas(formula))
    if always and asked.notion.value != "none":
        return "E G and A F under fairness cannot be certified yet"
    return None


def _is_lasting(part: Exists) -> bool:
    return isinstance(part.operand, Always) and part != FAIR_PATH


@dataclass(frozen=True)
class Claim:
    """What a node says of a path quantifier: whether it is true, a rank, and the number of a step."""

    is_true: bool
    rank: int
    step: int


class Labelled(Closed):
    """The section of nodes with their claims."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(asked)
        self._of = Subformulas(asked)
        if self._of.problem is not None:
            raise Rejected(self._of.problem)

    def begin(self, emit: Emit) -> None:
        """The formula is true in the initial states, which no step has led to."""
        for data, _ in self.states.initial():
            emit(data, (0, len(self._of.parts) - 1, True, None))

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Checks what nodes say of themselves, and says what must be true after their steps."""
        state = self.states.decode(data)
        steps = self.states.infinite_steps(data, state)
        masks = [self._step_mask(one) for one in steps]
        own = sum(
            1 << number
            for number, atom in enumerate(self._of.atoms)
            if not self._of.on_steps >> number & 1
            and self.states.is_true(self._of.meanings[atom], data, state, None)
        )
        for one, mask in zip(steps, masks, strict=True):
            emit(one.target, (mask, None, True, None))
        for letter, claims in self._nodes(note).items():
            tick()
            if letter & ~self._of.on_steps != own:
                raise Rejected("a node says something else of its state than is true")
            truth = self._truth(letter, claims)
            for part, claim in zip(self._of.claims, claims, strict=True):
                for number, need in self._demanded(part, claim, truth, len(steps)):
                    emit(steps[number].target, (masks[number], *need))

    def _demanded(
        self, part: Exists, claim: Claim, truth: Sequence[bool], steps: int
    ) -> list[tuple[int, tuple[int, bool, int | None]]]:
        """What a claim demands after which steps: the truth of a part, and perhaps a rank that is lower."""
        place, path = self._of.place, part.operand
        if claim.is_true and claim.step >= steps:
            raise Rejected("a node names a step that its state does not have")
        every = range(steps)
        match path, claim.is_true:
            case Next(operand), is_true:
                chosen = [claim.step] if is_true else every
                return [(number, (place[operand], is_true, None)) for number in chosen]
            case Until(left, right), True:
                if truth[place[right]]:
                    return []
                if truth[place[left]]:
                    return [(claim.step, (place[part], True, claim.rank))]
            case Until(left, right), False:
                if not truth[place[right]] and not truth[place[left]]:
                    return []
                if not truth[place[right]]:
                    return [(number, (place[part], False, None)) for number in every]
            case Always(operand), True:
                if truth[place[operand]]:
                    return [(claim.step, (place[part], True, None))]
            case Always(operand), False:
                if not truth[place[operand]]:
                    return []
                return [(number, (place[part], False, claim.rank)) for number in every]
        raise Rejected("a node claims what its own state contradicts")

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """The nodes that steps lead to are as these demand."""
        nodes = {letter & self._of.on_steps: (letter, claims) for letter, claims in self._nodes(note).items()}
        truth = {mask: self._truth(letter, claims) for mask, (letter, claims) in nodes.items()}
        for mask, part, is_true, limit in needs:
            if mask not in nodes:
                raise Rejected("a step leads to a node that is not listed")
            if part is not None and truth[mask][part] is not is_true:
                raise Rejected("a subformula is not as true as it is claimed to be")
            if limit is not None:
                claim = nodes[mask][1][self._of.claims.index(self._of.parts[part])]
                if claim.rank >= limit:
                    raise Rejected("a step does not decrease the rank of a subformula")

    def _nodes(self, note: bytes) -> dict[int, list[Claim]]:
        """The nodes of a note by the truth of all atoms; no two are entered by steps of one kind."""
        numbers, width = numbers_in(note), 1 + 2 * len(self._of.claims)
        found: dict[int, list[Claim]] = {}
        for start in range(0, len(numbers), width):
            letter, *rest = numbers[start : start + width]
            if len(rest) + 1 != width or letter >> len(self._of.atoms):
                raise Rejected("a note does not list nodes")
            pairs = zip(rest[::2], rest[1::2], strict=True)
            found[letter] = [Claim(bool(first & 1), first >> 1, step) for first, step in pairs]
        if len({letter & self._of.on_steps for letter in found}) * width != len(numbers):
            raise Rejected("a note lists a node twice")
        return found

    def _truth(self, letter: int, claims: Sequence[Claim]) -> list[bool]:
        pairs = zip(self._of.claims, claims, strict=True)
        return self._of.truth(letter, {part: claim.is_true for part, claim in pairs})

    def _step_mask(self, one: Encoded) -> int:
        return sum(
            1 << number
            for number, atom in enumerate(self._of.atoms)
            if self._of.on_steps >> number & 1
            and self.states.is_true(self._of.meanings[atom], one.target, one.step.target, one.step)
        )
