"""Determines how many copies of a process there are, from the text or from the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    LimitReached,
    counted,
    input_error,
    nearest,
)
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.expressions import EXPANSION_LIMIT, SMALLER_CONSTANT, Environment, Names
from fairlead.lang.csp.elaborate.positions import Frame, PositionTable, shorten
from fairlead.lang.csp.walk import nodes_of
from fairlead.lang.replication import Number

#: a text that puts copies of a process side by side
Replicated = syntax.Replication | syntax.IndexedParallel


@dataclass(frozen=True)
class Endless:
    """Any number of copies of a process, from `least` on."""

    frame: Frame
    least: int
    name: str


def replicated_name(body: syntax.Process) -> str:
    """What the number of copies is chosen by: the called process, or else the text."""
    return body.process if isinstance(body, syntax.Call) else shorten(body.span, 40)


def not_any_number(name: str, problem: str, span: Span, hint: str) -> InputError:
    """The error for processes of which there must be a certain number."""
    return input_error(
        Code.COUNTERS, f"there cannot be any number of processes '{name}': {problem}", span, hint
    )


def check_numbers(numbers: Iterable[str], processes: Mapping[str, syntax.ProcessDefinition]) -> None:
    """Refuses a number for what the model has no copies of."""
    known = {
        replicated_name(node.body)
        for node in nodes_of(definition.body for definition in processes.values())
        if isinstance(node, Replicated) and _has_number(node)
    }
    for name in numbers:
        if name not in known:
            raise input_error(
                Code.USAGE,
                f"--processes {name}=…: the model has no copies of a process '{name}'",
                hint=nearest(name, known) or f"copies are written '||| {{3}} @ {name}()'",
            )


def _has_number(node: Replicated) -> bool:
    """Whether a number can be chosen: interleaved copies, with one index or none."""
    if isinstance(node, syntax.Replication):
        return True
    return node.kind is syntax.ParallelKind.INTERLEAVE and len(node.ranges) == 1


class Replications:
    """The copies of replicated processes, in numbers that the text says unless others are chosen."""

    def __init__(self, table: PositionTable, numbers: Mapping[str, Number]) -> None:
        self._table = table
        self._numbers = numbers

    def copies(self, node: Replicated, environment: Environment) -> list[Frame] | Endless:
        """The copies in their order; those that do not differ are one and the same frame."""
        chosen = self._numbers.get(replicated_name(node.body)) if _has_number(node) else None
        if isinstance(node, syntax.Replication):
            return self._alike(node, environment, chosen or self._written(node, environment))
        used = self._table.names.free(node.body)
        if chosen is not None and node.ranges[0].name not in used:
            return self._alike(node, environment, chosen)
        indexed = self._table.expressions.index_values(node.ranges, Names(environment))
        if used.isdisjoint(index.name for index in node.ranges):
            return [Frame(node.body, environment)] * sum(1 for _ in indexed)
        frames = [Frame(node.body, names.environment) for names in indexed]
        return frames if chosen is None else _first(frames, node, chosen)

    def different(self, node: Replicated, environment: Environment) -> list[Frame]:
        """The copies without those that do not differ from another."""
        copies = self.copies(node, environment)
        return (
            [copies.frame]
            if isinstance(copies, Endless)
            else list({id(copy): copy for copy in copies}.values())
        )

    def _written(self, node: syntax.Replication, environment: Environment) -> Number:
        if node.count is None:
            return Number(1, True)
        number = self._table.expressions.constant(node.count, Names(environment))
        if number < 1:
            raise input_error(Code.EMPTY_RANGE, f"{number} copies of a process", node.count.span)
        return Number(number, False)

    def _alike(self, node: Replicated, environment: Environment, number: Number) -> list[Frame] | Endless:
        frame = Frame(node.body, environment)
        if number.is_unbounded:
            return Endless(frame, number.least, replicated_name(node.body))
        if number.least > EXPANSION_LIMIT:
            message = f"more than {EXPANSION_LIMIT} copies of a process"
            hint = f"{SMALLER_CONSTANT}, or check with --counters and any number of them"
            raise LimitReached((Diagnostic(Code.LIMIT, message, node.span, hint),))
        return [frame] * number.least


def _first(frames: list[Frame], node: syntax.IndexedParallel, number: Number) -> list[Frame]:
    """As many copies as are chosen, with the first values of their index."""
    name, index = replicated_name(node.body), node.ranges[0]
    if number.is_unbounded:
        hint = (
            f"if the processes need not be distinguished, leave '{index.name}' out: '||| {{..}} @ {name}()'"
        )
        raise not_any_number(name, f"they differ in '{index.name}'", node.body.span, hint)
    if number.least > len(frames):
        raise input_error(
            Code.USAGE,
            f"there are {counted(len(frames), 'value')} of '{index.name}' for {number.least} "
            f"processes '{name}'",
            index.span,
        )
    return frames[: number.least]
