"""Draws the chart of the tables: our seconds against the published ones."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.papers.files import Answered
from fairlead.papers.run import Agreement, Outcome
from fairlead.present.draw.plot import Chart, Guide, Line, Panel

#: the notions, by what is the same about them in a chart
_SERIES = ("no fairness", "weak", "strong", "strong global")
_SERIES_OF = {"none": 0, "ewf": 1, "pwf": 1, "esf": 2, "psf": 2, "sgf": 3}
#: the clock is not that exact
_LEAST = 1e-4
TOOL = "PAT"


def published_seconds(outcome: Outcome) -> float | None:
    """The seconds of PAT, where a number greater than zero is printed."""
    published = outcome.row.published
    times = () if published is None else published.times
    return next((time.seconds for time in times if time.tool == TOOL and time.seconds), None)


def chart_of(answered: Sequence[Answered]) -> Chart:
    """A panel for each system of each table, a line for each notion, a point for each size."""
    panels = []
    for one in answered:
        for system in dict.fromkeys(row.system for row in one.rows):
            lines = _lines([outcome for outcome in one.outcomes if outcome.row.system == system])
            if lines:
                panels.append(Panel(f"{system} ({one.table.name})", lines))
    return Chart(
        "Our seconds against the published ones (other machines, other models)",
        f"seconds of {TOOL}, as published",
        "seconds of fairlead",
        _SERIES,
        tuple(panels),
        Guide.EQUAL,
    )


def _lines(outcomes: Sequence[Outcome]) -> tuple[Line, ...]:
    points: dict[int, list[tuple[float, float]]] = {}
    for outcome in outcomes:
        theirs = published_seconds(outcome)
        if theirs is not None and outcome.agreement is not Agreement.UNKNOWN:
            series = _SERIES_OF[outcome.row.fairness]
            points.setdefault(series, []).append((theirs, max(outcome.seconds, _LEAST)))
    return tuple(Line(series, tuple(found)) for series, found in sorted(points.items()))
