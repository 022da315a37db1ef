"""Sweeps: one question for several values of a constant, and how its answers grow, as a chart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fairlead.base.records import dataclass
from fairlead.present.draw.growth import GrowthChart, Point, Series, growth_svg
from fairlead.service.jobs import Outcome
from fairlead.studio.folder import Refused

#: a sweep has at most so many values
MOST_VALUES = 40
#: shorter times cannot be told from none
_LEAST_SECONDS = 1e-4
_NAME = re.compile(r"[A-Za-z_]\w{0,100}")
_RANGE = re.compile(r"\s*(-?\d{1,9})\s*(?:\.\.\s*(-?\d{1,9})\s*)?")


@dataclass(frozen=True)
class Swept:
    """A constant, and the values that it is given."""

    constant: str
    values: tuple[str, ...]


def values_of(given: object) -> Swept:
    """The constant and its values, from `{"constant": "N", "values": "2..6, 8"}`."""
    if not isinstance(given, Mapping):
        raise Refused("expected a constant and its values")
    constant, text = given.get("constant"), given.get("values")
    if not isinstance(constant, str) or not _NAME.fullmatch(constant):
        raise Refused("which constant?")
    found: dict[str, None] = {}
    for part in str(text or "").split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise Refused(f"'{str(text)[:60]}': expected values such as 2..6 or 2, 4, 8")
        first = int(match[1])
        last = first if match[2] is None else int(match[2])
        if last < first or last - first >= MOST_VALUES:
            raise _too_many()
        found |= dict.fromkeys(map(str, range(first, last + 1)))
    if len(found) > MOST_VALUES:
        raise _too_many()
    return Swept(constant, tuple(found))


def _too_many() -> Refused:
    return Refused(f"a sweep has from 1 to {MOST_VALUES} values")


def chart_of(title: str, constant: str, values: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The answers as a table, and as a chart if there are any."""
    rows: list[dict[str, Any]] = []
    series: dict[str, tuple[list[Point], list[Point]]] = {}
    for value, outcome in zip(values, outcomes, strict=False):
        record = outcome.record or {}
        for result in record.get("results", ()):
            rows.append({"value": value, **{name: result.get(name) for name in _SHOWN}})
            states, seconds = series.setdefault(f"{result['assertion']} [{result['fairness']}]", ([], []))
            whole = result["verdict"] != "unknown"
            states.append(Point(float(value), float(max(1, result["states"])), whole))
            seconds.append(Point(float(value), max(_LEAST_SECONDS, result["seconds"]), whole))
        problems = [str(error["message"]) for error in record.get("errors", ())] or [outcome.message]
        if not record.get("results"):
            rows.append({"value": value, "problem": "; ".join(problems) or outcome.status.value})
    chart = None
    if series:
        lines = tuple(Series(name, (tuple(one), tuple(other))) for name, (one, other) in series.items())
        chart = growth_svg(GrowthChart(title, constant, ("states", "seconds"), lines))
    return {"constant": constant, "rows": rows, "svg": chart}


_SHOWN = ("assertion", "fairness", "verdict", "states", "transitions", "seconds", "reason")
