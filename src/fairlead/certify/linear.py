"""LTL under fairness: no fair execution is accepted by an automaton of the violations.

The listed states are nodes of the product: the note of a state of the system lists the automaton's states
with it, each with its label (`reasons.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.base.allowance import tick
from fairlead.certify.container import Rejected
from fairlead.certify.expansion import Automaton, Expansion
from fairlead.certify.proof import Emit, Need, unreadable
from fairlead.certify.questions import Asked, Facts, demanded, satisfies, sorted_atoms
from fairlead.certify.reasons import Label, Path, Reasons, leaves_of
from fairlead.certify.states import Encoded, States
from fairlead.logic import ltl
from fairlead.logic.fairness.condition import AllOf, Condition, OneOf
from fairlead.model.canonical.numbers import NotCanonical, Reader
from fairlead.model.system import State, Step


class Product:
    """The section of nodes of the product."""

    def __init__(self, asked: Asked, facts: Facts) -> None:
        self.states = States(asked.found)
        self.facts = Facts()
        formula, meanings = asked.formula()
        atoms = ltl.atoms(formula)
        self._meanings = [meanings[atom] for atom in atoms]
        self._automaton = Automaton(asked.proof, Expansion(formula, sorted_atoms(atoms)))
        self._demanded = demanded(asked, facts, self._automaton.sets, asked.proof.get("conditions"))
        conditions = [one.condition for one in self._demanded]
        self._reasons = Reasons(asked.proof.get("reasons"), conditions, asked.notion.is_global)
        self._leaves: dict[Path, list[object]] = {}

    def begin(self, emit: Emit) -> None:
        """Wherever the automaton can begin, the node is listed."""
        for data, state in self.states.initial():
            letter = self._letter(data, state, None)
            for edge in self._automaton.edges[0]:
                if edge.reads(letter):
                    emit(data, (edge.target, None))

    def look(self, data: bytes, note: bytes, emit: Emit) -> None:
        """Follows each step of the system with each transition of the automaton that can read it."""
        nodes = self._nodes(note)
        state = self.states.decode(data)
        steps = self.states.steps(data, state)
        self._check_exits(nodes, len(steps))
        for number, one in enumerate(self.states.infinite_steps(data, state)):
            tick()
            letter = self._letter(one.target, one.step.target, one.step)
            truth: dict[tuple[Path, int], bool] = {}
            for automaton_state, label in nodes.items():
                for edge in self._automaton.edges[automaton_state]:
                    if edge.reads(letter):
                        holds = self._satisfaction(one, edge.marks, truth)
                        need = self._reasons.need(label, number if steps else None, holds)
                        emit(one.target, (edge.target, need))

    def settle(self, data: bytes, note: bytes, needs: Sequence[Need]) -> None:
        """Each node that a step leads to is listed, with a label as the step demands."""
        nodes = self._nodes(note)
        for automaton_state, need in needs:
            label = nodes.get(automaton_state)
            if label is None:
                raise Rejected("a step leads to a node of the product that is not listed")
            if need is not None and not self._reasons.meets(label, need):
                raise Rejected("a step is not as the reason of its class says, or increases the rank")

    # ------------------------------------------------------------ notes

    def _nodes(self, note: bytes) -> dict[int, Label]:
        reader, found = Reader(note), {}
        try:
            while not reader.is_at_end:
                automaton_state = reader.unsigned()
                if automaton_state >= len(self._automaton.edges) or automaton_state in found:
                    raise Rejected("a note lists a node twice, or one that the automaton does not have")
                found[automaton_state] = self._reasons.read(reader)
        except NotCanonical as problem:
            raise unreadable(problem) from None
        return found

    def _check_exits(self, nodes: dict[int, Label], steps: int) -> None:
        """In each class a state of the system has one distance and one step, in all its nodes."""
        known: dict[tuple[int, ...], tuple[int, int]] = {}
        for label in nodes.values():
            for place, distance, step in self._reasons.exits(label):
                if step >= steps or known.setdefault(place, (distance, step)) != (distance, step):
                    raise Rejected("a state has no such way out of its class, or two of them")

    # ------------------------------------------------------------ what is true of a step

    def _letter(self, data: bytes, state: State, step: Step | None) -> int:
        letter = 0
        for place, meaning in enumerate(self._meanings):
            if self.states.is_true(meaning, data, state, step):
                letter |= 1 << place
        return letter

    def _satisfaction(
        self, one: Encoded, marks: int, known: dict[tuple[Path, int], bool]
    ) -> Callable[[Path, int], bool]:
        """Whether a step satisfies a leaf of a condition."""

        def holds(path: Path, leaf: int) -> bool:
            condition = self._demanded[path[0]]
            if condition.mark is not None:
                return bool(marks >> condition.mark & 1)
            key = path, leaf
            if key not in known:
                if path not in self._leaves:
                    self._leaves[path] = list(leaves_of(_part(condition.condition, path)))
                predicate = self._leaves[path][leaf].predicate  # type: ignore[attr-defined]
                known[key] = satisfies(
                    predicate,
                    condition.meanings,
                    lambda meaning: self.states.is_true(meaning, one.target, one.step.target, one.step),
                )
            return known[key]

        return holds


def _part(condition: Condition, path: Path) -> Condition:
    for place in path[1:]:
        assert isinstance(condition, AllOf | OneOf)
        condition = condition.parts[place]
    return condition
