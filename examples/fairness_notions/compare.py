"""Nine smallest models in a square: which fairness of events they need, and which fairness of processes.

What to look at: fairness of events (weak, strong) and fairness of processes (weak, strong) are
independent. Each of the nine ways in which they can matter has a model of at most four transitions.
Which fairness it needs: all of them hold under strong global fairness, and none without fairness.
Run it: python examples/fairness_notions/compare.py
"""

from pathlib import Path

import fairlead

HERE = Path(__file__).parent
#: rows by fairness of processes, columns by fairness of events: weak, strong, or neither helps
SQUARE = {
    "pwf": ("two_processes", "always_something", "same_event_two_processes"),
    "psf": ("always_somebody", "switch", "same_event_every_other_step"),
    "-": ("choice_in_one_process", "every_other_step", "coin"),
}
COLUMNS = ("ewf", "esf", "-")


def weakest(model: fairlead.Model, notions: tuple[str, ...]) -> str:
    """The first of these notions under which the first assertion of the model holds, or '-'."""
    return next((notion for notion in notions if model.check(model.assertions[0], notion)), "-")


print("      " + "".join(column.ljust(26) for column in COLUMNS).rstrip())
for row, names in SQUARE.items():
    print(row.ljust(6) + "".join(name.ljust(26) for name in names).rstrip())
    for column, name in zip(COLUMNS, names, strict=True):
        model = fairlead.load(HERE / f"{name}.csp")
        assert weakest(model, ("ewf", "esf")) == column, name
        assert weakest(model, ("pwf", "psf")) == row, name
        assert weakest(model, ("none", "sgf")) == "sgf", name
print("each needs the fairness of events above it, or the fairness of processes next to it;")
print("strong global fairness is enough for all, and no fairness for none")
