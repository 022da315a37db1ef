"""Long lists of actions made short: `a.1, a.2, a.3` is `a[1..3]`, `a.x, a.y` is `a.{x,y}`."""

from __future__ import annotations

from collections.abc import Collection, Iterable

#: longer lists are shown with their end left out
SHOWN = 24
#: where the end of a list is to be had
ALL_WITH_JSON = "all of them with --json"

_Parts = tuple[str, ...]


def compact(actions: Collection[str]) -> list[str]:
    """Expressions that stand for just the given actions.

    Actions are dotted names. Those that differ in one part become one, for each part but the first, from the
    last to the second; so the rest are products of sets of parts.
    """
    found: dict[_Parts, None] = dict.fromkeys(tuple(action.split(".")) for action in sorted(set(actions)))
    for place in range(max(map(len, found), default=0) - 1, 0, -1):
        found = _merged(found, place)
    return sorted(map(_text, found))


def shown(actions: Collection[str]) -> str:
    """A compact list for people."""
    listed = compact(actions)
    more = f", … {len(listed) - SHOWN} more ({ALL_WITH_JSON})" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more


def _merged(actions: Iterable[_Parts], place: int) -> dict[_Parts, None]:
    """Actions that are equal except for one part, as one."""
    alike: dict[tuple[_Parts, _Parts], list[str]] = {}
    result: dict[_Parts, None] = {}
    for parts in actions:
        if len(parts) > place:
            alike.setdefault((parts[:place], parts[place + 1 :]), []).append(parts[place])
        else:
            result[parts] = None
    for (before, after), values in alike.items():
        numbers = sorted(int(value) for value in values if _is_number(value))
        names = sorted(value for value in values if not _is_number(value))
        merged = [_range(*run) for run in runs(numbers)]
        if names:
            merged.append(names[0] if len(names) == 1 else "{" + ",".join(names) + "}")
        for value in merged:
            result[(*before, value, *after)] = None
    return result


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isdecimal() and digits.isascii() and str(int(text)) == text


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The first and last numbers of the runs without gaps in sorted numbers."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"[{first}..{last}]"


def _text(parts: _Parts) -> str:
    """A range needs no dot before it."""
    return parts[0] + "".join(part if part.startswith("[") else f".{part}" for part in parts[1:])
