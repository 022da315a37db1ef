"""Which measurements stand in which chart."""

from __future__ import annotations

from collections.abc import Sequence

from bench.cases import REACHABILITY, SPIN, WEAK
from bench.measuring import Amount, Outcome, ratio
from bench.ours import ALL, ONE
from bench.systems import SYSTEMS
from fairlead.present.draw.plot import Chart, Line, Panel

_TOOLS = (SPIN, ONE.label, ALL.label)
_SHOWN = ("SPIN", "fairlead, one core", "fairlead, all cores")
#: systems with fewer sizes make no line
_FEWEST_SIZES = 2


def _transitions(outcome: Outcome) -> int:
    """Those of the system, which we count; SPIN's are visits in its product with the formula."""
    sides = (outcome.get(ONE.label), outcome.get(ALL.label))
    return next((side.transitions for side in sides if side and not side.unfinished), 0)


def _chart(title: str, up: str, outcomes: Sequence[Outcome], value: Amount) -> Chart:
    panels = []
    for system in dict.fromkeys(outcome.system for outcome in outcomes):
        own = [one for one in outcomes if one.system == system and _transitions(one)]
        if len(own) < _FEWEST_SIZES:
            continue
        lines = []
        for number, label in enumerate(_TOOLS):
            points = tuple(
                (float(_transitions(one)), value(found))
                for one in own
                if (found := one.get(label)) and not found.unfinished and value(found) > 0
            )
            if points:
                lines.append(Line(number, points))
        panels.append(Panel(SYSTEMS[system].title, tuple(lines), _remark(own, value)))
    return Chart(title, "transitions of the system", up, _SHOWN, tuple(panels))


def _remark(outcomes: Sequence[Outcome], value: Amount) -> str:
    """How many times as much SPIN takes at the largest size."""
    largest = max(outcomes, key=_transitions)
    found = ratio(largest.get(SPIN), largest.get(ALL.label) or largest.get(ONE.label), value)
    return f"{found}× at {largest.system}{largest.size}" if found else ""


def charts(outcomes: Sequence[Outcome]) -> dict[str, Chart]:
    """Charts by the names of their files."""
    reached = [one for one in outcomes if one.part == REACHABILITY]
    fair = [one for one in outcomes if one.part == WEAK and one.kind != "none"]
    drawn = {
        "growth-all-states": _chart(
            "All states: how the time grows", "seconds", reached, lambda one: one.seconds
        ),
        "growth-weak-fairness": _chart(
            "Liveness under weak fairness: how the time grows", "seconds", fair, lambda one: one.seconds
        ),
        "growth-memory": _chart(
            "All states: how the memory grows (by each tool's own account, all in)",
            "megabytes",
            reached,
            lambda one: one.total_bytes / 2**20,
        ),
    }
    return {name: chart for name, chart in drawn.items() if chart.panels}
