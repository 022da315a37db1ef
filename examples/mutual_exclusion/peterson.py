"""Peterson's mutual exclusion from Python: a verdict, the run behind it, and what rules it out.

What to look at: without fairness, process 0 need not ever enter. The run that shows it is a value: its
steps, and for each process why the run is fair to it or not.
Which fairness it needs: weak fairness of processes, what the scheduler of an operating system gives. The
run is fair to process 1, which moves, and unfair to process 0, which could move at every step and never
does.
Run it: python examples/mutual_exclusion/peterson.py
"""

from pathlib import Path

import fairlead

model = fairlead.load(Path(__file__).with_name("peterson.csp"), {"N": 2})

print("Are never two inside?")
safe = model.check("System() |= [] exclusive")
print(f"  {safe.verdict.value}, in {safe.statistics.states} states")
assert safe

print("Does process 0 enter again and again?")
for notion in ("none", "pwf"):
    result = model.check("System() |= []<> cs.0", notion)
    print(f"  {notion}: {result.verdict.value}")
    if result.evidence is not None:
        print("  forever:", " ".join(step.event for step in result.evidence.loop))
    assert bool(result) == (notion == "pwf")

print("Is that run fair to the processes? Evidence can be judged under another notion:")
stored = model.check("System() |= []<> cs.0", "none").to_json()
stored["fairness"] = "pwf"
problem = model.validate(stored)
print(f"  {problem}")
assert problem is not None

print("And with more processes?")
for n in (3, 4):
    larger = fairlead.load(Path(__file__).with_name("peterson.csp"), {"N": n})
    result = larger.check("System() |= []<> cs.0", "pwf")
    print(f"  N = {n}: {result.verdict.value}, {result.statistics.states} states")
    assert result
