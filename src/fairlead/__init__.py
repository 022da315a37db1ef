"""Fairlead: a model checker for concurrent and distributed systems under fairness.

>>> import fairlead
>>> model = fairlead.loads("P = a -> P [] b -> P; #assert P() |= []<> a;")
>>> model.check("P() |= []<> a", fairness="ewf").verdict.value
'holds'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from fairlead.base.display import Presenter, install_presenter
from fairlead.base.moved_modules import install_moved_modules
from fairlead.base.version import __version__ as __version__

if TYPE_CHECKING:
    from fairlead.advice.advice import Advice
    from fairlead.api.loading import load, loads
    from fairlead.api.model import Model
    from fairlead.api.simulating import replay, simulate
    from fairlead.base.diagnostics import (
        Code,
        Diagnostic,
        FairleadError,
        InputError,
        InternalError,
        LimitReached,
    )
    from fairlead.checker.options import CheckOptions, Counters, Reduction
    from fairlead.checker.result import Result
    from fairlead.evidence.evidence import Evidence
    from fairlead.logic.fairness.notions import Fairness
    from fairlead.model.assertion import Refinement
    from fairlead.model.run import Run as Lasso
    from fairlead.outcome.events import Phase, Progress
    from fairlead.outcome.finding import Statistics, Verdict
    from fairlead.outcome.limits import Limits
    from fairlead.outcome.vacuity import VacuityCheck
    from fairlead.present.html.report import Report, html_report
    from fairlead.search.checkpoint import Checkpoints
    from fairlead.simulation.value import Simulation


__all__ = [
    "Advice",
    "CheckOptions",
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
    "Reduction",
    "Refinement",
    "Report",
    "Result",
    "Simulation",
    "Statistics",
    "VacuityCheck",
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
    "fairlead.api.model": ("Model",),
    "fairlead.api.loading": ("load", "loads"),
    "fairlead.api.simulating": ("replay", "simulate"),
    "fairlead.outcome.finding": ("Statistics", "Verdict"),
    "fairlead.search.checkpoint": ("Checkpoints",),
    "fairlead.outcome.events": ("Phase", "Progress"),
    "fairlead.outcome.limits": ("Limits",),
    "fairlead.outcome.vacuity": ("VacuityCheck",),
    "fairlead.checker.options": ("CheckOptions", "Counters", "Reduction"),
    "fairlead.base.diagnostics": (
        "Code",
        "Diagnostic",
        "FairleadError",
        "InputError",
        "InternalError",
        "LimitReached",
    ),
    "fairlead.evidence.evidence": ("Evidence",),
    "fairlead.logic.fairness.notions": ("Fairness",),
    "fairlead.model.assertion": ("Refinement",),
    "fairlead.present.html.report": ("Report", "html_report"),
    "fairlead.checker.result": ("Result",),
    "fairlead.simulation.value": ("Simulation",),
}


def __getattr__(name: str) -> object:
    if name == "Lasso":
        return import_module("fairlead.model.run").Run
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'fairlead' has no attribute '{name}'")


def _presenter() -> Presenter:
    from fairlead.present.presenter import PRESENTER

    return PRESENTER


install_presenter(_presenter)
install_moved_modules()
