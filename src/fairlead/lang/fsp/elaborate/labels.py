"""What the labels of a text stand for: one label or several, with the variables they bind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.source import Span
from fairlead.lang.fsp.elaborate.values import Scope, Value, as_value, evaluate, integer
from fairlead.lang.fsp.syntax import (
    Index,
    Interval,
    Label,
    LabelSet,
    Name,
    NamePart,
    Relabel,
    RelabelForall,
    Relabelling,
    SetBody,
    SetName,
    SetPart,
)

#: no label or composition is replicated more often than this
REPLICATION_LIMIT = 1_000_000


def alternatives(label: Label, scope: Scope) -> Iterator[tuple[str, Scope]]:
    """The texts a label stands for, in order, each with the scope in which its variables are bound."""
    if label.constant is not None:
        return iter([(label.constant, scope)])
    found: list[tuple[str, Scope]] = [("", scope)]
    for part in label.parts:
        found = [
            (f"{text}.{piece}" if text else piece, inner)
            for text, outer in found
            for piece, inner in _pieces(part, outer)
        ]
        if len(found) > REPLICATION_LIMIT:
            raise input_error(
                Code.LIMIT, f"this stands for more than {REPLICATION_LIMIT:,} labels", label.span
            )
    return iter(found)


def _pieces(part: NamePart | SetPart | Index, scope: Scope) -> Iterator[tuple[str, Scope]]:
    match part:
        case NamePart(name):
            yield name, scope
        case SetPart(labels, without):
            excluded = set() if without is None else set(set_texts(without, scope))
            for text in set_texts(labels, scope):
                if text not in excluded:
                    yield text, scope
        case Index():
            for value, inner in bound(part, scope):
                yield str(value), inner
        case _:
            assert_never(part)


def label_texts(label: Label, scope: Scope) -> list[str]:
    """The labels something stands for, each once."""
    return list(dict.fromkeys(text for text, _ in alternatives(label, scope)))


def set_texts(labels: LabelSet, scope: Scope) -> list[str]:
    """The labels of a set in the order of their declaration, each once."""
    if isinstance(labels, SetName):
        return scope.declarations.set_of(labels)
    return list(dict.fromkeys(text for label in labels.labels for text in label_texts(label, scope)))


# ---------------------------------------------------------------- indices


def bound(index: Index, scope: Scope) -> Iterator[tuple[Value, Scope]]:
    """The values of an index, each with the scope in which its variable has it."""
    if index.variable is not None and index.variable in scope.bindings and not scope.is_loose:
        problem = f"there is a variable '{index.variable}' here already"
        raise input_error(Code.NAME_CLASH, problem, index.span, "give the index another name")
    for value in domain(index, scope):
        yield value, scope if index.variable is None else scope.bind(index.variable, value)


def domain(index: Index, scope: Scope) -> Sequence[Value]:
    """The values of an index."""
    match index.domain:
        case Interval():
            return interval(index.domain, scope)
        case SetBody():
            return [as_value(text) for text in set_texts(index.domain, scope)]
        case Name(name, span) if name[0].isupper() and name not in scope.bindings:
            declared = scope.declarations.set_or_range(name, span)
            if declared is not None:
                return declared
            if index.variable is not None and name not in scope.declarations.constants:
                raise input_error(Code.UNKNOWN_NAME, f"there is no range or set '{name}'", span)
    if index.variable is not None:
        problem = f"'{index.variable}' needs a range or a set to run over"
        raise input_error(Code.TYPE, problem, index.span, "write [i:1..3], [i:R] or [i:{a, b}]")
    return [evaluate(index.domain, scope)]


def interval(bounds: Interval, scope: Scope) -> range:
    """The integers between two bounds; there must be one."""
    low, high = integer(bounds.low, scope), integer(bounds.high, scope)
    return checked_range(range(low, high + 1), bounds.low.span.to(bounds.high.span))


def checked_range(values: range, span: Span) -> range:
    """The values of a range, which must have some, and not too many."""
    if not values:
        raise input_error(Code.EMPTY_RANGE, f"the range {values.start}..{values.stop - 1} is empty", span)
    if len(values) > REPLICATION_LIMIT:
        raise input_error(Code.LIMIT, f"a range has at most {REPLICATION_LIMIT:,} values", span)
    return values


def each(indices: Sequence[Index], scope: Scope) -> Iterator[tuple[tuple[Value, ...], Scope]]:
    """All combinations of the values of some indices, each with its scope."""
    if not indices:
        yield (), scope
        return
    for value, inner in bound(indices[0], scope):
        tick()
        for values, innermost in each(indices[1:], inner):
            yield (value, *values), innermost


# ---------------------------------------------------------------- matching and renaming


def prefixes(label: str) -> Iterator[str]:
    """The label itself and its dotted prefixes, the longest first."""
    yield label
    end = label.rfind(".")
    while end >= 0:
        yield label[:end]
        end = label.rfind(".", 0, end)


def matching(labels: Iterable[str], wanted: Iterable[str]) -> frozenset[str]:
    """Those labels that are in a set, or have a dotted prefix that is."""
    chosen = set(wanted)
    return frozenset(label for label in labels if any(prefix in chosen for prefix in prefixes(label)))


def renaming(relabellings: Sequence[Relabelling], scope: Scope) -> dict[str, list[str]]:
    """The new labels of each old one."""
    found: dict[str, list[str]] = {}
    for relabelling in relabellings:
        match relabelling:
            case Relabel(new, old):
                for name, inner in alternatives(new, scope):
                    for former, _ in alternatives(old, inner):
                        names = found.setdefault(former, [])
                        if name not in names:
                            names.append(name)
            case RelabelForall(indices, body):
                for _, inner in each(indices, scope):
                    for former, names in renaming(body, inner).items():
                        known = found.setdefault(former, [])
                        known += [name for name in names if name not in known]
            case _:
                assert_never(relabelling)
    return found


def unmatched(relabellings: Sequence[Relabelling], scope: Scope, labels: Iterable[str]) -> list[Relabel]:
    """The relabellings that no label, nor the beginning of one, is an old label of."""
    known = {prefix for label in labels for prefix in prefixes(label)}
    used: dict[int, tuple[Relabel, bool]] = {}
    pending: list[tuple[Relabelling, Scope]] = [(one, scope) for one in relabellings]
    while pending:
        relabelling, here = pending.pop()
        match relabelling:
            case Relabel(new, old):
                is_used = any(
                    former in known
                    for _, inner in alternatives(new, here)
                    for former, _ in alternatives(old, inner)
                )
                used[id(relabelling)] = (relabelling, is_used or used.get(id(relabelling), (None, False))[1])
            case RelabelForall(indices, body):
                pending += [(one, inner) for _, inner in each(indices, here) for one in body]
            case _:
                assert_never(relabelling)
    return [relabelling for relabelling, is_used in used.values() if not is_used]


def renamed(label: str, names: Mapping[str, list[str]]) -> list[str]:
    """The new names of a label: of the whole label, or else of its longest prefix that has some."""
    for prefix in prefixes(label):
        if prefix in names:
            return [name + label[len(prefix) :] for name in names[prefix]]
    return [label]
