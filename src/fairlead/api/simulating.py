"""Stepping through a model, or following the run of a result: where simulations begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.api.arguments import EXPECTED
from fairlead.api.model import Model
from fairlead.base.arguments import Expected, checked
from fairlead.certify.meanings import as_system
from fairlead.checker.result import Result, result_as_json
from fairlead.outcome.finding import Verdict
from fairlead.simulation.value import Loaded, Shows, Simulation, start
from fairlead.simulation.value import replay as replay_run

_EXPECTED = {**EXPECTED, "model": Expected("a Model, such as fairlead.load('model.csp')", (Model,))}


@checked(_EXPECTED)
def simulate(model: Model, process: str | None = None, *, seed: int = 0) -> Simulation:
    """A simulation of a process, in its first initial state; `fairlead.simulation` has what moves it."""
    return start(model._system(process), seed=seed)


@checked(_EXPECTED)
def replay(model: Model, result: Result | Mapping[str, Any], *, seed: int = 0) -> Simulation:
    """A simulation that follows the run of a result, fresh or stored as JSON."""
    stored = result_as_json(result)
    verdicts = {Verdict.HOLDS.value: Shows.WITNESS, Verdict.ERROR.value: Shows.FAULT}
    shows = verdicts.get(str(stored.get("verdict")), Shows.COUNTEREXAMPLE)
    about = model._about(stored)._stored
    run, system = about.run(stored), as_system(about.system(stored))
    return replay_run(system, Loaded(run, str(stored["assertion"]), shows), seed=seed)
