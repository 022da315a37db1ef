"""Steps through a model: the simulation as a value, and how it is shown.

>>> import fairlead
>>> from fairlead.simulation import back, take
>>> begun = fairlead.simulate(fairlead.loads("P = a -> b -> P;"))
>>> after = take(begun, "a")
>>> [step.event for step in after.enabled]
['b']
>>> back(after).enabled == begun.enabled
True
"""

from fairlead.model.attempts import Failure
from fairlead.simulation.records import state_record, step_records
from fairlead.simulation.text import state_text, trace_text
from fairlead.simulation.value import (
    Loaded,
    Shows,
    Simulation,
    Status,
    back,
    choose_start,
    follow,
    jump_to,
    jump_to_loop,
    named,
    random_walk,
    redo,
    replay,
    restart,
    start,
    take,
    waiting,
    why,
)
from fairlead.simulation.view import positions

__all__ = [
    "Failure",
    "Loaded",
    "Shows",
    "Simulation",
    "Status",
    "back",
    "choose_start",
    "follow",
    "jump_to",
    "jump_to_loop",
    "named",
    "positions",
    "random_walk",
    "redo",
    "replay",
    "restart",
    "start",
    "state_record",
    "state_text",
    "step_records",
    "take",
    "trace_text",
    "waiting",
    "why",
]
