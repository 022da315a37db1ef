"""How large must a network be to show what fairness it needs? Token circulation for growing rings.

What to look at: with three nodes `<>[] oneToken` holds without any fairness, which proves nothing about
four.
Which fairness it needs: strong global fairness from four nodes on, where three tokens have room to follow
each other forever. It is what is meant by agents that meet at random.
Run it: python examples/population_protocols/token_ring.py
"""

from pathlib import Path

import fairlead

NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf")

print("nodes  states  " + "  ".join(NOTIONS))
for n in range(3, 8):
    model = fairlead.load(Path(__file__).with_name("token_ring.csp"), {"N": n})
    results = [model.check("TokenRing() |= <>[] oneToken", notion) for notion in NOTIONS]
    marks = "  ".join(
        ("yes" if result else "no").ljust(len(notion))
        for result, notion in zip(results, NOTIONS, strict=True)
    )
    states = model.check("TokenRing() deadlockfree").statistics.states
    print(f"{n:5}  {states:6}  {marks}".rstrip())
    assert [bool(result) for result in results] == [n == 3] * 5 + [True]

model = fairlead.load(Path(__file__).with_name("token_ring.csp"), {"N": 4})
run = model.check("TokenRing() |= <>[] oneToken", "psf").evidence
assert run is not None
print("three tokens in a ring of four, forever:", " ".join(step.event for step in run.loop))
