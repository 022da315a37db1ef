"""Four policies of a scheduler, and for each the weakest fairness under which the last task is not forgotten.

What to look at: the table. A policy that needs less can be built with less.
Which fairness it needs: that is the question. Turns need none, a free choice needs weak fairness of
events, ranks need strong fairness of events, and where one task hogs the processor nothing helps.
Run it: python examples/schedulers/policies.py
"""

from pathlib import Path

import fairlead

#: weaker ones first; fairness of events and of processes are incomparable
NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf")
EXPECTED = {"Turns()": "none", "Any()": "ewf", "ByRank()": "esf", "Greedy()": "nothing helps"}

for n in (2, 4):
    model = fairlead.load(Path(__file__).with_name("policies.csp"), {"N": n})
    print(f"{n} tasks")
    for policy, expected in EXPECTED.items():
        holding = [notion for notion in NOTIONS if model.check(f"{policy} |= []<> run.(N-1)", notion)]
        weakest = holding[0] if holding else "nothing helps"
        print(f"  {policy:9} {weakest}")
        assert weakest == expected
