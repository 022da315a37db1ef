"""Labels of one arrow as few lines: `a.1`, `a.2`, `a.3` are `a[1..3]`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fairlead.evidence.actions import runs

#: a whole number that stands alone in a label, with the dot before it
_NUMBER = re.compile(r"(?:(?P<dot>\.)|(?<![\w-]))(?P<number>0|-?[1-9]\d{0,8})(?!\w)")
#: fewer labels than this are not a range
_SHORTEST_RANGE = 3


def compressed(labels: Iterable[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Lines, each with the labels it stands for, in the order of the first of them.

    Labels that differ in one number, and have all numbers of a range there, share a line.
    """
    left = list(dict.fromkeys(labels))
    place = {label: index for index, label in enumerate(left)}
    lines: dict[int, tuple[str, tuple[str, ...]]] = {}
    while True:
        found = _longest_range(left)
        if found is None:
            break
        line, members = found
        lines[min(place[label] for label in members)] = (line, members)
        taken = set(members)
        left = [label for label in left if label not in taken]
    lines |= {place[label]: (label, (label,)) for label in left}
    return [lines[index] for index in sorted(lines)]


def _longest_range(labels: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """The line for most labels at once, and those labels."""
    families: dict[tuple[str, str, str], dict[int, str]] = {}
    for label in labels:
        for match in _NUMBER.finditer(label):
            family = label[: match.start()], match["dot"] or "", label[match.end() :]
            families.setdefault(family, {})[int(match["number"])] = label
    best: tuple[str, tuple[str, ...]] | None = None
    for (before, dot, after), members in families.items():
        for first, last in runs(sorted(members)):
            covered = tuple(members[number] for number in range(first, last + 1))
            if len(covered) >= _SHORTEST_RANGE and (best is None or len(covered) > len(best[1])):
                best = _range_text(before, dot, first, last, after), covered
    return best


def _range_text(before: str, dot: str, first: int, last: int, after: str) -> str:
    bracketed = before.endswith("[") and after.startswith("]")
    if bracketed:
        return f"{before}{dot}{first}..{last}{after}"
    # without a word before it, the dot is part of the name
    return f"{before}{'' if before else dot}[{first}..{last}]{after}"
