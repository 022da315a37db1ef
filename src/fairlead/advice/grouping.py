"""Groups assumptions as a person would write them: `wf(take.*)` for all the events take.0, take.1, …"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from fairlead.advice.assumption import Assumption, Strength, in_order
from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Subject

_CALL = re.compile(r"(?P<name>[^()]+)\((?P<arguments>[^()]*)\)")
#: what stands for any argument
ANY = "*"

#: the name of an event or process, and its arguments
_Parts = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Term:
    """What is written once: one assumption, or the same one about all subjects that fit a pattern."""

    text: str
    members: tuple[Assumption, ...]


def parts_of(subject: Subject, name: str) -> _Parts:
    """`take.0.1` is take of 0 and 1, `Phil(3)` is Phil of 3."""
    if subject is Subject.PROCESSES:
        call = _CALL.fullmatch(name)
        if call is None:
            return name, ()
        return call["name"], tuple(argument.strip() for argument in call["arguments"].split(","))
    first, *arguments = name.split(".")
    return first, tuple(arguments)


def _written(subject: Subject, name: str, arguments: Sequence[str]) -> str:
    if subject is Subject.PROCESSES:
        return f"{name}({', '.join(arguments)})"
    return ".".join((name, *arguments))


def grouped(assumptions: Iterable[Assumption], known: dict[Subject, Collection[str]]) -> tuple[Term, ...]:
    """The assumptions as few terms; `known` are all the events and processes of the system.

    A pattern is used only if all the subjects that fit it are meant.
    """
    chosen = in_order(assumptions)
    left = set(chosen)
    terms: list[Term] = []
    for assumption in chosen:
        if assumption not in left:
            continue
        term = _widest(assumption, left, known[assumption.subject])
        left -= set(term.members)
        terms.append(term)
    return tuple(terms)


def by_names(assumptions: Iterable[Assumption], known: dict[Subject, Collection[str]]) -> tuple[Term, ...]:
    """The same for whole families: whatever has the name of one of them, whatever its arguments.

    That is more than was given, unless all of a family are meant. Of a family that is meant weakly and
    strongly all is meant strongly.
    """
    strongest: dict[tuple[Subject, str, int], Strength] = {}
    for assumption in in_order(assumptions):
        name, arguments = parts_of(assumption.subject, assumption.name)
        key = (assumption.subject, name, len(arguments))
        if strongest.get(key) is not Strength.STRONG:
            strongest[key] = assumption.strength
    terms: list[Term] = []
    for (subject, name, count), strength in strongest.items():
        pattern = (name, (ANY,) * count)
        members = _fitting(pattern, subject, strength, known[subject])
        text = members[0].name if len(members) == 1 else _written(subject, *pattern) if count else name
        terms.append(Term(f"{strength.value}({text})", members))
    return tuple(terms)


def _widest(assumption: Assumption, left: set[Assumption], known: Collection[str]) -> Term:
    """The pattern that fits the assumption and most others of those left, and nothing else."""
    name, arguments = parts_of(assumption.subject, assumption.name)
    best = Term(str(assumption), (assumption,))
    for pattern in _patterns(arguments):
        members = _fitting((name, pattern), assumption.subject, assumption.strength, known)
        if len(members) > len(best.members) and left.issuperset(members):
            text = f"{assumption.strength.value}({_written(assumption.subject, name, pattern)})"
            best = Term(text, members)
    return best


def _patterns(arguments: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """All arguments free, or all but one, or one."""
    if not arguments:
        return
    count = len(arguments)
    yield (ANY,) * count
    if count > 1:
        for fixed in range(count):
            yield tuple(argument if at == fixed else ANY for at, argument in enumerate(arguments))
    if count > 2:
        for free in range(count):
            yield tuple(ANY if at == free else argument for at, argument in enumerate(arguments))


def _fitting(
    pattern: _Parts, subject: Subject, strength: Strength, known: Collection[str]
) -> tuple[Assumption, ...]:
    name, arguments = pattern
    found = []
    for other in known:
        other_name, other_arguments = parts_of(subject, other)
        if other_name != name or len(other_arguments) != len(arguments):
            continue
        if all(want in (ANY, got) for want, got in zip(arguments, other_arguments, strict=True)):
            found.append(Assumption(subject, other, strength))
    return in_order(found)
