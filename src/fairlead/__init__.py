"""Fairlead: a model checker for concurrent and distributed systems under fairness.

>>> import fairlead
>>> model = fairlead.loads("P = a -> P [] b -> P; #assert P() |= []<> a;")
>>> model.check("P() |= []<> a", fairness="ewf").verdict.value
'holds'
"""

from fairlead.api import Model, load, loads
from fairlead.check.finding import Statistics, Verdict
from fairlead.check.limits import Limits, Progress
from fairlead.errors import (
    Code,
    Diagnostic,
    FairleadError,
    InputError,
    InternalError,
    LimitReached,
)
from fairlead.evidence.evidence import Evidence
from fairlead.logic.fairness import Fairness
from fairlead.model.run import Run as Lasso
from fairlead.result import Result

__version__ = "0.1.0"

__all__ = [
    "Code",
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
    "Progress",
    "Result",
    "Statistics",
    "Verdict",
    "load",
    "loads",
]
