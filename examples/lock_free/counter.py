"""Lock-free is not wait-free: the same loop, asked two questions, with two and more processes.

What to look at: "some process gets on" holds for every number of processes and under no fairness; "process 0
gets on" fails even under strong fairness.
Which fairness it needs: none for the first, strong global fairness for the second. What is named apart
also matters: where a swap that succeeds has a name of its own, strong fairness of events asks for it.
Run it: python examples/lock_free/counter.py
"""

from pathlib import Path

import fairlead

QUESTIONS = {
    "lock-free": "Counter() |= []<> x == 0",
    "wait-free": "Counter() |= []<> done.0",
    "wait-free, named apart": "Named() |= []<> done.0",
}
#: the weakest notions under which it holds
NEEDS = {"lock-free": "none", "wait-free": "sgf", "wait-free, named apart": "esf"}

for n in (2, 3):
    model = fairlead.load(Path(__file__).with_name("counter.csp"), {"N": n})
    for name, question in QUESTIONS.items():
        holding = [
            notion for notion in ("none", "ewf", "pwf", "esf", "psf", "sgf") if model.check(question, notion)
        ]
        print(f"{n} processes, {name}: holds under {', '.join(holding)}")
        assert holding[0] == NEEDS[name]

model = fairlead.load(Path(__file__).with_name("counter.csp"), {"N": 2})
result = model.check("Counter() |= []<> done.0", "psf")
assert result.evidence is not None
print("without success, and the run is fair:")
for step in result.evidence.loop:
    print(f"  {step.event:8} {' '.join(step.changes)}".rstrip())
