"""Fairlead: a model checker for concurrent and distributed systems under fairness.

>>> import fairlead
>>> model = fairlead.loads("P = a -> P [] b -> P; #assert P() |= []<> a;")
>>> model.check("P() |= []<> a", fairness="ewf").verdict.value
'holds'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairlead.advice.advice import Advice
    from fairlead.api import Model
    from fairlead.check.checkpoint import Checkpoints
    from fairlead.check.events import Phase, Progress
    from fairlead.check.finding import Statistics, Verdict
    from fairlead.check.limits import Limits
    from fairlead.counting import Counters
    from fairlead.errors import (
        Code,
        Diagnostic,
        FairleadError,
        InputError,
        InternalError,
        LimitReached,
    )
    from fairlead.evidence.evidence import Evidence
    from fairlead.loading import load, loads
    from fairlead.logic.fairness import Fairness
    from fairlead.model.assertion import Refinement
    from fairlead.model.run import Run as Lasso
    from fairlead.report.report import Report, html_report
    from fairlead.result import Result
    from fairlead.simulating import replay, simulate
    from fairlead.simulation.value import Simulation

__version__ = "0.2.0"

__all__ = [
    "Advice",
    "Checkpoints",
    "Code",
    "Counters",
    "Diagnostic",
    "Evidence",
    "FairleadError",
    "Fairness",
    "InputError",
    "InternalError",
    "Lasso",
    "LimitReached",
    "Limits",
    "Model",
    "Phase",
    "Progress",
    "Refinement",
    "Report",
    "Result",
    "Simulation",
    "Statistics",
    "Verdict",
    "html_report",
    "load",
    "loads",
    "replay",
    "simulate",
]

#: where the names come from; loaded when first used, so that a command can be interrupted from its start
_HOMES = {
    "fairlead.advice.advice": ("Advice",),
    "fairlead.api": ("Model",),
    "fairlead.loading": ("load", "loads"),
    "fairlead.simulating": ("replay", "simulate"),
    "fairlead.check.finding": ("Statistics", "Verdict"),
    "fairlead.check.checkpoint": ("Checkpoints",),
    "fairlead.check.events": ("Phase", "Progress"),
    "fairlead.check.limits": ("Limits",),
    "fairlead.counting": ("Counters",),
    "fairlead.errors": (
        "Code",
        "Diagnostic",
        "FairleadError",
        "InputError",
        "InternalError",
        "LimitReached",
    ),
    "fairlead.evidence.evidence": ("Evidence",),
    "fairlead.logic.fairness": ("Fairness",),
    "fairlead.model.assertion": ("Refinement",),
    "fairlead.report.report": ("Report", "html_report"),
    "fairlead.result": ("Result",),
    "fairlead.simulation.value": ("Simulation",),
}


def __getattr__(name: str) -> object:
    if name == "Lasso":
        return import_module("fairlead.model.run").Run
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'fairlead' has no attribute '{name}'")
