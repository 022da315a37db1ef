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
    from fairlead.api.walking import walk
    from fairlead.base.arguments import ArgumentError
    from fairlead.base.diagnostics import (
        Code,
        Diagnostic,
        FairleadError,
        InputError,
        InternalError,
        LimitReached,
    )
    from fairlead.checker.offers import StrategyOffer
    from fairlead.checker.options import CheckOptions, Counters, Reduction
    from fairlead.checker.result import Result, Results
    from fairlead.evidence.changes import Change, StateView
    from fairlead.evidence.evidence import Evidence, StepView
    from fairlead.logic.fairness.notions import Fairness
    from fairlead.model.assertion import Assertion, Refinement
    from fairlead.model.explicit import ExplicitGraph
    from fairlead.model.run import Run as Lasso
    from fairlead.model.system import Step
    from fairlead.outcome.coverage import Coverage
    from fairlead.outcome.events import Phase, Progress
    from fairlead.outcome.finding import Statistics, Verdict
    from fairlead.outcome.limits import Limits
    from fairlead.outcome.vacuity import VacuityCheck
    from fairlead.present.html.report import Report, html_report
    from fairlead.reduce.bisimulation import Equivalence
    from fairlead.reduce.system import Minimised
    from fairlead.search.checkpoint import Checkpoints
    from fairlead.search.ctl.branching import StateSet
    from fairlead.simulation.value import Simulation
    from fairlead.simulation.walks import RandomWalks

__all__ = [
    "Advice",
    "ArgumentError",
    "Assertion",
    "Change",
    "CheckOptions",
    "Checkpoints",
    "Code",
    "Counters",
    "Coverage",
    "Diagnostic",
    "Equivalence",
    "Evidence",
    "ExplicitGraph",
    "FairleadError",
    "Fairness",
    "InputError",
    "InternalError",
    "Lasso",
    "LimitReached",
    "Limits",
    "Minimised",
    "Model",
    "Phase",
    "Progress",
    "RandomWalks",
    "Reduction",
    "Refinement",
    "Report",
    "Result",
    "Results",
    "Simulation",
    "StateSet",
    "StateView",
    "Statistics",
    "Step",
    "StepView",
    "StrategyOffer",
    "VacuityCheck",
    "Verdict",
    "html_report",
    "load",
    "loads",
    "replay",
    "simulate",
    "walk",
]

#: where the names come from; loaded when first used, so that a command can be interrupted from its start
_HOMES = {
    "fairlead.advice.advice": ("Advice",),
    "fairlead.api.loading": (
        "load",
        "loads",
    ),
    "fairlead.api.model": ("Model",),
    "fairlead.api.walking": ("walk",),
    "fairlead.api.simulating": (
        "replay",
        "simulate",
    ),
    "fairlead.base.arguments": ("ArgumentError",),
    "fairlead.base.diagnostics": (
        "Code",
        "Diagnostic",
        "FairleadError",
        "InputError",
        "InternalError",
        "LimitReached",
    ),
    "fairlead.checker.offers": ("StrategyOffer",),
    "fairlead.checker.options": (
        "CheckOptions",
        "Counters",
        "Reduction",
    ),
    "fairlead.checker.result": (
        "Result",
        "Results",
    ),
    "fairlead.evidence.changes": (
        "Change",
        "StateView",
    ),
    "fairlead.evidence.evidence": (
        "Evidence",
        "StepView",
    ),
    "fairlead.logic.fairness.notions": ("Fairness",),
    "fairlead.model.assertion": (
        "Assertion",
        "Refinement",
    ),
    "fairlead.model.explicit": ("ExplicitGraph",),
    "fairlead.model.system": ("Step",),
    "fairlead.outcome.coverage": ("Coverage",),
    "fairlead.outcome.events": (
        "Phase",
        "Progress",
    ),
    "fairlead.outcome.finding": (
        "Statistics",
        "Verdict",
    ),
    "fairlead.outcome.limits": ("Limits",),
    "fairlead.outcome.vacuity": ("VacuityCheck",),
    "fairlead.present.html.report": (
        "Report",
        "html_report",
    ),
    "fairlead.reduce.bisimulation": ("Equivalence",),
    "fairlead.reduce.system": ("Minimised",),
    "fairlead.search.checkpoint": ("Checkpoints",),
    "fairlead.search.ctl.branching": ("StateSet",),
    "fairlead.simulation.value": ("Simulation",),
    "fairlead.simulation.walks": ("RandomWalks",),
}
#: modules with functions of their own
_MODULES = ("simulation",)


def __getattr__(name: str) -> object:
    if name == "Lasso":
        return import_module("fairlead.model.run").Run
    if name in _MODULES:
        return import_module(f"fairlead.{name}")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    if name.startswith("__"):  # searched for by tools
        raise AttributeError(f"module 'fairlead' has no attribute '{name}'")
    from fairlead.base.diagnostics import nearest

    hint = nearest(name, __all__)
    raise AttributeError(f"module 'fairlead' has no attribute '{name}'" + (f"; {hint}" if hint else ""))


def __dir__() -> list[str]:
    """What there is for users, loaded or not."""
    about = ("__all__", "__doc__", "__file__", "__name__", "__path__", "__version__")
    return sorted([*__all__, *_MODULES, *about])


def _presenter() -> Presenter:
    from fairlead.present.presenter import PRESENTER

    return PRESENTER


install_presenter(_presenter)
install_moved_modules()
