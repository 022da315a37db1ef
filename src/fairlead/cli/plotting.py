"""Draws the picture of `check --plot`: states and times by the value of a constant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.writing import check_writable, write_whole
from fairlead.cli.answers import Answers
from fairlead.cli.model import ModelSource
from fairlead.cli.sweep import Sweep
from fairlead.outcome.finding import Verdict
from fairlead.present.draw.growth import GrowthChart, Point, Series, growth_svg
from fairlead.present.sentences.result import Said

#: shorter times cannot be told from none
_LEAST_SECONDS = 1e-4


def check_plot(sweep: Sweep, path: Path, model: str) -> None:
    """Refuses a picture that cannot be drawn or written, before any work is done."""
    name, values = next(iter(sweep.values.items()))
    if not all(re.fullmatch(r"-?\d+", value) for value in values):
        raise input_error(Code.USAGE, f"--plot: the values of {name} are not all numbers")
    if path.exists() and Path(model).exists() and path.samefile(model):
        raise input_error(Code.USAGE, f"--plot {path}: that is the model")
    check_writable(path)


def write_plot(
    sweep: Sweep, done: Sequence[tuple[ModelSource, Answers | None]], path: Path, title: str
) -> None:
    """Draws what was found: a line for each question, notion and combination of the other constants."""
    across, *others = sweep.values
    found: dict[str, tuple[list[Point], list[Point]]] = {}
    for source, answers in done:
        rest = "".join(f", {name}={source.definitions[name]}" for name in others)
        for result in answers.results if answers is not None else ():
            name = f"{result.assertion} [{Said(result).notion}]{rest}"
            states, seconds = found.setdefault(name, ([], []))
            x, is_whole = float(source.definitions[across]), result.verdict is not Verdict.UNKNOWN
            states.append(Point(x, float(max(1, result.statistics.states)), is_whole))
            seconds.append(Point(x, max(_LEAST_SECONDS, result.statistics.seconds), is_whole))
    if not found:
        raise input_error(Code.USAGE, "--plot: there are no answers to draw")
    series = tuple(Series(name, (tuple(states), tuple(seconds))) for name, (states, seconds) in found.items())
    write_whole(path, growth_svg(GrowthChart(title, across, ("states", "seconds"), series)))
