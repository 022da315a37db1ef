"""States and what a step changes in them, as values that people and programs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.base.display import in_one_line


class StateView(dict[str, Any]):
    """A state as it is in JSON, with names for its parts; it shows itself in one line."""

    @property
    def variables(self) -> dict[str, Any]:
        """The values of the variables by name; a state of a graph has none."""
        return dict(self.get("variables", {}))

    @property
    def processes(self) -> dict[str, Any]:
        """Where each process is; a state of a graph has none."""
        return dict(self.get("processes", {}))

    def __repr__(self) -> str:
        return in_one_line(f"<State {state_line(self)}>")


class Change(str):
    """What one step changes, as text (`level[0]: 0 → 1`) and as values.

    `name` is the variable, `position` the index in it, if it is an array whose elements are shown one by one,
    `before` and `after` are the values. For a graph `name` is `state`, or a proposition.
    """

    __slots__ = ("after", "before", "name", "position")

    name: str
    position: int | None
    before: Any
    after: Any

    @classmethod
    def of(cls, text: str, name: str, before: Any, after: Any, position: int | None = None) -> Change:
        """A change that is described by a text."""
        change = cls(text)
        change.name, change.position, change.before, change.after = name, position, before, after
        return change


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What differs between two descriptions of states, as `name: old → new`."""
    found: list[Change] = []
    old, new = before.get("variables", {}), after.get("variables", {})
    for name, value in new.items():
        previous = old.get(name)
        if isinstance(value, list) and isinstance(previous, list) and len(value) == len(previous):
            found += [
                Change.of(f"{name}[{index}]: {plain(was)} → {plain(now)}", name, was, now, index)
                for index, (was, now) in enumerate(zip(previous, value, strict=True))
                if was != now
            ]
        elif value != previous:
            found.append(Change.of(f"{name}: {plain(previous)} → {plain(value)}", name, previous, value))
    if "state" in after:
        was, now = before.get("state"), after["state"]
        found.append(Change.of(f"state {was} → {now}", "state", was, now))
        gained = set(after.get("propositions", ())) - set(before.get("propositions", ()))
        lost = set(before.get("propositions", ())) - set(after.get("propositions", ()))
        found += [Change.of(f"+{name}", name, False, True) for name in sorted(gained)]
        found += [Change.of(f"-{name}", name, True, False) for name in sorted(lost)]
    return found


def state_line(state: Mapping[str, Any]) -> str:
    """A described state in one line."""
    variables = state.get("variables")
    if isinstance(variables, dict):
        return ", ".join(f"{name}={_value(value)}" for name, value in variables.items()) or "(no variables)"
    shown = f"state {state.get('state')}"
    propositions = state.get("propositions")
    return f"{shown} ({', '.join(propositions)})" if propositions else shown


def _value(value: object) -> str:
    return "[" + ",".join(map(plain, value)) + "]" if isinstance(value, list) else plain(value)


def plain(value: object) -> str:
    """A value as models write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
