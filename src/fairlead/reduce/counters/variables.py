"""Variables that count processes of which there are unboundedly many.

A counter is known as the processes are: exactly up to the cutoff, and beyond as "many". So it must be the sum
of a weight for each process, decided by the local state it is in, and be examined only where its exact value
beyond the cutoff cannot matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.model.expression import (
    Binary,
    Constant,
    Expression,
    Operator,
    Shared,
    children,
    slots_read,
    subexpressions,
)
from fairlead.model.network import Variable
from fairlead.model.program import Block, Branch, Dequeue, Enqueue, Loop, Program, Require, Store
from fairlead.reduce.counters.automata import LocalAutomata, LocalStep, SymbolicState

_COMPARISONS = {
    # how far above the constant the first value lies from which on the answer is always the same
    Operator.GREATER: 1,
    Operator.LESS_EQUAL: 1,
    Operator.EQUAL: 1,
    Operator.UNEQUAL: 1,
    Operator.GREATER_EQUAL: 0,
    Operator.LESS: 0,
}
_MIRRORED = {
    Operator.GREATER: Operator.LESS,
    Operator.LESS: Operator.GREATER,
    Operator.GREATER_EQUAL: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER_EQUAL,
    Operator.EQUAL: Operator.EQUAL,
    Operator.UNEQUAL: Operator.UNEQUAL,
}


@dataclass(frozen=True)
class Weights:
    """What each local state of some processes counts in a variable."""

    variable: Variable
    of: Mapping[SymbolicState, int]

    @property
    def is_trivial(self) -> bool:
        """Whether these processes do not change the variable at all."""
        return not any(self.of.values())


def weights(variable: Variable, automata: LocalAutomata, states: list[SymbolicState], group: str) -> Weights:
    """The weights with which the processes of a group are counted; all of them start in the first state."""
    differently = f"processes {group} can be in the same place and be counted differently"
    found = {states[0]: 0}
    for state in states:  # found breadth first, so that its own weight is known
        for step in automata.steps(state):
            change = change_by(step.update, variable)
            if change is None:
                raise _unfit(variable, f"processes {group} do not change it by a constant", step.update)
            if len(step.targets) > 1 and (change or found[state]):
                raise _unfit(variable, f"processes {group} fork while they are counted", step.update)
            for target in step.targets:
                weight = found.setdefault(target, found[state] + change)
                if weight != found[state] + change:
                    raise _unfit(variable, differently, step.update)
                if weight < 0:
                    raise _unfit(
                        variable, f"processes {group} are taken off it that were not counted", step.update
                    )
    for one, weight in found.items():
        for other in (other for other in found if None in other.parameters and other.overlaps(one)):
            if found[other] != weight:
                raise _unfit(variable, differently, None)
    return Weights(variable, found)


def _unfit(variable: Variable, problem: str, program: Program | None) -> InputError:
    span = _span_of(program, variable) or variable.span
    hint = (
        "a counter is the number of processes in certain places: "
        "a step into one adds 1, a step out of one subtracts 1"
    )
    return input_error(Code.COUNTERS, f"'{variable.name}' is not a counter: {problem}", span, hint)


def _span_of(program: Program | None, variable: Variable) -> Span | None:
    match program:
        case Store(target, _) if isinstance(target, Shared) and target.slot == variable.slot:
            return program.span
        case Block(parts):
            return next((span for part in parts if (span := _span_of(part, variable)) is not None), None)
        case _:
            return None


def change_by(program: Program | None, variable: Variable) -> int | None:
    """By how much a program changes a variable; None if that is not always the same."""
    match program:
        case None | Dequeue() | Require():
            return 0
        case Store(target, value):
            if not _may_be(target, variable):
                return 0
            return _difference(value, variable.slot) if isinstance(target, Shared) else None
        case Block(parts):
            changes = [change_by(part, variable) for part in parts]
            return None if None in changes else sum(change for change in changes if change is not None)
        case Branch(_, then, otherwise):
            return 0 if change_by(then, variable) == change_by(otherwise, variable) == 0 else None
        case Loop(_, body):
            return 0 if change_by(body, variable) == 0 else None
        case Enqueue():
            return 0


def _may_be(target: Expression, variable: Variable) -> bool:
    return variable.slot in slots_read(target)


def _difference(value: Expression, slot: int) -> int | None:
    """`v + 1`, `v - 2`, `1 + v`: what is added to v."""
    match value:
        case Binary(Operator.ADD, Shared(own), Constant(number)) if own == slot:
            return number
        case Binary(Operator.ADD, Constant(number), Shared(own)) if own == slot:
            return number
        case Binary(Operator.SUBTRACT, Shared(own), Constant(number)) if own == slot:
            return -number
        case _:
            return None


def without_counting(program: Program | None, slots: frozenset[int]) -> Program | None:
    """A program without the assignments to counters, which follow the processes by themselves."""
    match program:
        case Store(Shared(slot)) if slot in slots:
            return None
        case Block(parts):
            kept = [part for part in (without_counting(part, slots) for part in parts) if part is not None]
            return Block(tuple(kept)) if kept else None
        case _:
            return program


# ---------------------------------------------------------------- where counters are examined


def check_conditions(
    expressions: Iterable[Expression], counters: Mapping[int, Variable], cutoff: int
) -> None:
    """Raises `InputError` if one of the expressions depends on how many are more than the cutoff."""
    for expression in expressions:
        _check(expression, counters, cutoff)


def _check(expression: Expression, counters: Mapping[int, Variable], cutoff: int) -> None:
    read = _read(expression, counters)
    if not read:
        return
    if isinstance(expression, Binary) and expression.operator in _COMPARISONS:
        needed = _needed(expression, counters)
        if needed is not None and needed <= cutoff + 1:
            return
        if needed is not None:
            problem = f"whether '{read[0].name}' is so large cannot be decided with the cutoff {cutoff}"
            raise input_error(Code.COUNTERS, problem, expression.span, f"check with --cutoff {needed - 1}")
    elif children(expression):
        for part in children(expression):
            _check(part, counters, cutoff)
        return
    raise input_error(
        Code.COUNTERS,
        f"the value of '{read[0].name}' is not known beyond the cutoff",
        getattr(expression, "span", None) or read[0].span,
        "a counter of unboundedly many processes can only be compared with constants",
    )


def check_program(step: LocalStep, counters: Mapping[int, Variable], is_joint: bool) -> None:
    """Raises `InputError` if the program of a step reads a counter that the same step may change.

    Counters follow the processes when a step is over. `is_joint` says that others may take part in it.
    """
    changed = any(change_by(step.update, variable) != 0 for variable in counters.values())
    if not changed and not is_joint and step.handshake is None:
        return
    for expression in expressions_in(without_counting(step.update, frozenset(counters))):
        for variable in _read(expression, counters):
            raise input_error(
                Code.COUNTERS,
                f"'{variable.name}' is read in a step that may change it",
                getattr(expression, "span", None) or variable.span,
                "read it in a guard, or in a step of its own: a counter follows when the step is over",
            )


def _read(expression: Expression, counters: Mapping[int, Variable]) -> list[Variable]:
    return [
        counters[slot] for part in subexpressions(expression) for slot in slots_read(part) if slot in counters
    ]


def _needed(comparison: Binary, counters: Mapping[int, Variable]) -> int | None:
    """From which value of the sum on the answer is always the same; None if it is not a sum of counters."""
    operator, left, right = comparison.operator, comparison.left, comparison.right
    if isinstance(left, Constant):
        operator, left, right = _MIRRORED[operator], right, left
    if not isinstance(right, Constant):
        return None
    constant = _offset(left, counters)
    return None if constant is None else right.value - constant + _COMPARISONS[operator]


def _offset(total: Expression, counters: Mapping[int, Variable]) -> int | None:
    """The constant that is added to a sum of counters; None if it is another expression."""
    match total:
        case Constant(value):
            return value
        case Shared(slot) if slot in counters:
            return 0
        case Binary(Operator.ADD, left, right):
            offsets = _offset(left, counters), _offset(right, counters)
            return None if offsets[0] is None or offsets[1] is None else offsets[0] + offsets[1]
        case Binary(Operator.SUBTRACT, left, Constant(value)):
            offset = _offset(left, counters)
            return None if offset is None else offset - value
        case _:
            return None


def expressions_of(step: LocalStep) -> list[Expression]:
    """What a step computes, apart from counting."""
    found: list[Expression] = [part for part in step.arguments if part is not None]
    if step.guard is not None:
        found.append(step.guard)
    found += getattr(step.label, "arguments", ()) or getattr(step.label, "values", ())
    handshake = step.handshake
    if handshake is not None:
        found += [handshake.rendezvous.index, *getattr(handshake, "values", ())]
        accepts = getattr(handshake, "accepts", None)
        found += [] if accepts is None else [accepts]
    return found


def expressions_in(program: Program | None) -> list[Expression]:
    """What a program computes."""
    match program:
        case None:
            return []
        case Store(target, value):
            return [*children(target), value]
        case Branch(condition, then, otherwise):
            return [condition, *expressions_in(then), *expressions_in(otherwise)]
        case Loop(condition, body):
            return [condition, *expressions_in(body)]
        case Block(parts):
            return [one for part in parts for one in expressions_in(part)]
        case Enqueue(index=index, values=values):
            return [index, *values]
        case Dequeue(index=index):
            return [index]
        case Require(condition):
            return [condition]
