"""Vacuity by brute force: each occurrence of each subformula is replaced, and the formula is judged again.

Formulas are the tuples of `formulas` and `branching`. An occurrence is a path of operands. Below an
equivalence an occurrence is neither positive nor negative, and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.support.oracle.branching import ATOMS
from tests.support.oracle.formulas import Formula

Path = tuple[int, ...]


def occurrences(f: Formula, path: Path = (), positive: bool = True) -> Iterator[tuple[Path, Formula, bool]]:
    """Every occurrence of a subformula, with its polarity."""
    yield path, f, positive
    if f[0] in ATOMS or f[0] == "iff":
        return
    for place, operand in enumerate(f[1:]):
        turned = f[0] == "not" or (f[0] == "implies" and place == 0)
        yield from occurrences(operand, (*path, place), positive != turned)


def replaced(f: Formula, path: Path, value: Formula) -> Formula:
    if not path:
        return value
    first, *rest = path
    operands = list(f[1:])
    operands[first] = replaced(operands[first], tuple(rest), value)
    return (f[0], *operands)


def has_atom(f: Formula) -> bool:
    if f[0] in ATOMS:
        return f[0] not in ("true", "false")
    return any(has_atom(operand) for operand in f[1:])


def unneeded(f: Formula, holds: Callable[[Formula], bool]) -> set[Path]:
    """The occurrences that can be replaced by the strongest constant, the formula still holding."""
    return {
        path
        for path, part, positive in occurrences(f)
        if path and has_atom(part) and holds(replaced(f, path, ("false",) if positive else ("true",)))
    }


def largest(paths: set[Path]) -> set[Path]:
    """Those that are in no other."""
    return {path for path in paths if not any(path[:length] in paths for length in range(len(path)))}


def is_consequent_or_operand(f: Formula, path: Path) -> bool:
    """Whether an occurrence is the right side of a positive implication, or an operand of U, W or R."""
    around = {where: (part, positive) for where, part, positive in occurrences(f)}
    (operator, *_), positive = around[path[:-1]]
    return operator in ("U", "W", "R") or (operator == "implies" and positive and path[-1] == 1)
