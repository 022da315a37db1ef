"""What makes an execution fair, in the engine: a notion, and conditions on what happens forever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairlead.engine import _native
from fairlead.engine.atoms import EngineAtoms
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, InfinitelyOften, OneOf, fold_condition
from fairlead.logic.fairness.demand import single_demand
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.logic.ltl import And, Atom, Constant, Formula, Not, children
from fairlead.model.assertion import Meaning

_CODE = _native.PredicateCode
_LEVELS = {
    Subject.NOBODY: _native.FairnessLevel.NONE,
    Subject.EVENTS: _native.FairnessLevel.EVENT,
    Subject.PROCESSES: _native.FairnessLevel.PROCESS,
}


def engine_fairness(atoms: EngineAtoms, notion: Fairness, conjuncts: Sequence[Conjunct]) -> _native.Fairness:
    """A notion together with all of the conjuncts, whose atoms are added to the others.

    Weak and strong fairness to single events and processes is judged as a notion is, which is faster than by
    a condition.
    """
    demands: dict[tuple[Subject, bool], list[str]] = {}
    others: list[Conjunct] = []
    for conjunct in conjuncts:
        single = single_demand(conjunct)
        if single is None:
            others.append(conjunct)
        else:
            demands.setdefault((single.subject, single.is_strong), []).append(single.name)
    condition = None
    if others:
        builder = _ConditionBuilder(atoms)
        parts = [builder.add(conjunct) for conjunct in others]
        condition = builder.native
        condition.demand(condition.all(parts))
    fairness = _native.Fairness(_LEVELS[notion.subject], notion.is_strong, notion.is_global, condition)
    for (subject, is_strong), names in demands.items():
        fairness.add_demand(atoms.graph, _LEVELS[subject], is_strong, names)
    return fairness


class _ConditionBuilder:
    """Conditions of the engine. Atoms of the same text mean the same in all conjuncts."""

    def __init__(self, atoms: EngineAtoms) -> None:
        self._atoms = atoms
        self._numbers: dict[Atom, int] = {}
        self.native = _native.Condition(atoms.native)

    def add(self, conjunct: Conjunct) -> int:
        """The engine's number of a conjunct's condition."""
        native = self.native

        def leaf(node: InfinitelyOften | AlmostAlways) -> int:
            program = self._program(node.predicate, conjunct.meanings)
            if isinstance(node, InfinitelyOften):
                return native.inf(program)
            return native.fin([*program, _CODE.NOT])

        def join(node: AllOf | OneOf, parts: list[int]) -> int:
            return native.all(parts) if isinstance(node, AllOf) else native.any(parts)

        return fold_condition(conjunct.condition, leaf, join)

    def _program(self, predicate: Formula, meanings: Mapping[Atom, Meaning]) -> list[int]:
        """A predicate in postfix notation; iterative, since users decide its depth."""
        program: list[int] = []
        stack: list[Formula | int] = [predicate]
        while stack:
            node = stack.pop()
            match node:
                case int():
                    program.append(node)
                case Atom():
                    if node not in self._numbers:
                        self._numbers[node] = self._atoms.add(meanings[node])
                    program.append(self._numbers[node])
                case Constant(value):
                    program.append(_CODE.TRUE if value else _CODE.FALSE)
                case _:  # predicates are in negation normal form
                    is_and = isinstance(node, And)
                    stack.append(_CODE.NOT if isinstance(node, Not) else _CODE.AND if is_and else _CODE.OR)
                    stack += children(node)
        return program
