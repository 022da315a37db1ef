"""Lists of actions made short."""

from __future__ import annotations

from random import Random

from fairlead.evidence.actions import compact, shown


def test_compact_lists() -> None:
    assert compact([]) == []
    assert compact(["a"]) == ["a"]
    assert compact([f"a.{i}" for i in range(1, 10)]) == ["a[1..9]"]
    assert compact(["a.1", "a.2", "a.4", "a.x", "a.y", "a"]) == ["a", "a.4", "a.{x,y}", "a[1..2]"]
    assert compact(["a.1.x", "a.2.x", "a.2.y"]) == ["a.1.x", "a.2.{x,y}"]
    assert compact(["a.-1", "a.0", "a.1", "a.01"]) == ["a.01", "a[-1..1]"]
    assert compact([f"a.{i}.{j}" for i in range(3) for j in range(2)]) == ["a[0..2][0..1]"]
    assert shown([f"n{i}" for i in range(30)]).endswith(", … 6 more (all of them with --json)")


def expanded(text: str) -> set[str]:
    """What a compact expression stands for: the inverse, written again."""
    pieces: list[list[str]] = []
    rest = text
    while rest:
        if rest[0] == "[":
            inside, _, rest = rest[1:].partition("]")
            low, high = map(int, inside.split(".."))
            pieces.append([str(number) for number in range(low, high + 1)])
        elif rest[0] == "{":
            inside, _, rest = rest[1:].partition("}")
            pieces.append(inside.split(","))
        else:
            end = min((rest.index(mark) for mark in ".[{" if mark in rest), default=len(rest))
            pieces.append([rest[:end]])
            rest = rest[end:]
        rest = rest.removeprefix(".")
    found = [""]
    for piece in pieces:
        found = [f"{before}.{part}" if before else part for before in found for part in piece]
    return set(found)


def test_compact_lists_stand_for_the_same_actions() -> None:
    rng = Random(0)
    for _ in range(500):
        parts = ["0", "1", "2", "3", "x", "y", "10"]
        actions = {
            ".".join([rng.choice("ab"), *(rng.choice(parts) for _ in range(rng.randint(0, 3)))])
            for _ in range(rng.randint(0, 25))
        }
        listed = compact(actions)
        found = [action for text in listed for action in expanded(text)]
        assert sorted(found) == sorted(actions), listed
