"""Whether a loop is fair by a fairness formula, straight from the definition, and why.

`GF p` is true on the run that repeats a loop forever iff p is true at some position of the loop, `FG p` iff
it is true at all of them. The positions of a loop are its steps, each with the state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairlead.base.records import dataclass
from fairlead.evidence.fair_loop import NEEDS_LOOP, LoopNumbers, unfair_problem
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, InfinitelyOften, OneOf, fold_condition
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.ltl import And, Atom, AtomKind, Constant, Formula, Iff, Implies, Not, Or, fold
from fairlead.model.meaning import meaning_holds
from fairlead.model.run import Run
from fairlead.model.system import Step, System


@dataclass(frozen=True)
class ConditionReason:
    """Why a loop satisfies a condition of a fairness formula, or why not."""

    subject: str
    is_fair: bool
    because: str

    def text(self) -> str:
        """The reason in words."""
        return f"{self.subject}: {self.because}"


def predicate_holds(predicate: Formula, truth: Callable[[Atom], bool]) -> bool:
    """Whether a propositional formula is true, given the truth of its atoms."""

    def value(node: Formula, parts: list[bool]) -> bool:
        match node:
            case Constant(constant):
                return constant
            case Atom():
                return truth(node)
            case Not():
                return not parts[0]
            case And():
                return parts[0] and parts[1]
            case Or():
                return parts[0] or parts[1]
            case Implies():
                return not parts[0] or parts[1]
            case Iff():
                return parts[0] == parts[1]
        raise AssertionError(node)

    return fold({}, predicate, value)


def condition_reasons(
    system: System, run: Run, conjuncts: Sequence[Conjunct], offset: int = 0
) -> list[ConditionReason]:
    """For each condition why the loop satisfies it, or why not; all atoms must have their meanings.

    The run starts after `offset` steps.
    """
    numbers = LoopNumbers.of(run, offset)
    return [_reason(system, run.loop, conjunct, numbers) for conjunct in conjuncts]


def condition_problem(system: System, run: Run, conjuncts: Sequence[Conjunct]) -> str | None:
    """What is wrong with a run as a fair execution by a fairness formula, or None."""
    if not run.loop:
        if conjuncts:
            return f"{NEEDS_LOOP}: its continuations may all be unfair to the formula"
        return None
    return unfair_problem(condition_reasons(system, run, conjuncts))


@dataclass(frozen=True)
class _Judged:
    """A condition on a loop: whether it is true, which part decides that (none if several do), and where."""

    is_true: bool
    subject: str | None
    because: str

    @property
    def text(self) -> str:
        return self.because if self.subject is None else f"{self.subject} {self.because}"


def _reason(
    system: System, loop: Sequence[Step], conjunct: Conjunct, numbers: LoopNumbers
) -> ConditionReason:
    def judged_leaf(leaf: InfinitelyOften | AlmostAlways) -> _Judged:
        at = [
            predicate_holds(
                leaf.predicate,
                lambda atom, at=step: meaning_holds(system, conjunct.meanings[atom], at.target, at),  # type: ignore[misc]
            )
            for step in loop
        ]
        shown = _often if isinstance(leaf, InfinitelyOften) else _always
        return shown(leaf.predicate, at, numbers)

    judged = fold_condition(conjunct.condition, judged_leaf, _combined)
    because = judged.because if judged.subject == conjunct.text else judged.text
    return ConditionReason(conjunct.text, judged.is_true, because)


def _often(predicate: Formula, at: list[bool], numbers: LoopNumbers) -> _Judged:
    place = f"at step {numbers.step(at.index(True))}" if True in at else "never in the loop"
    return _Judged(True in at, _spelt("GF", predicate), place)


def _always(predicate: Formula, at: list[bool], numbers: LoopNumbers) -> _Judged:
    place = f"not at step {numbers.step(at.index(False))}" if False in at else "at every step of the loop"
    return _Judged(False not in at, _spelt("FG", predicate), place)


def _plain(node: Formula, parts: list[Formula]) -> Formula:
    """A predicate for people: `executed(P)`, where it was made of `all processes p: …`, without `process`."""
    if isinstance(node, Atom):
        return Atom(node.text.removeprefix("process ").removeprefix("event "), node.kind)
    return type(node)(*parts) if parts else node


def _spelt(operator: str, predicate: Formula) -> str:
    known: dict[Formula, Formula] = {}
    predicate = fold(known, predicate, _plain)
    is_simple = isinstance(predicate, Constant | Not) or (
        isinstance(predicate, Atom) and predicate.kind is not AtomKind.COMPARISON
    )
    return f"{operator} {predicate}" if is_simple else f"{operator} ({predicate})"


def _combined(node: AllOf | OneOf, judged: list[_Judged]) -> _Judged:
    """A conjunction fails, and a disjunction is satisfied, by the first part that does; else by all."""
    is_conjunction = isinstance(node, AllOf)
    for part in judged:
        if part.is_true is not is_conjunction:
            return part
    if len(judged) == 1:
        return judged[0]
    if not judged:
        return _Judged(is_conjunction, None, "nothing is demanded" if is_conjunction else "never satisfied")
    return _Judged(is_conjunction, None, ", ".join(part.text for part in judged))
