"""A graph made by a program: a gambler plays until all is lost or the bank is.

Each game is won or lost, one coin a game. There are N coins in all; at 0 or N the game is over.

What to look at: `<> over`. The graph is a dictionary, as in JSON; any program can make one.
Which fairness it needs: with two coins none, as the first game is the last. From three coins on, winning
and losing in turn leads nowhere, and takes every event infinitely often. Only strong global
fairness, which knows the states, asks for two wins in a row.
Run it: python examples/explicit_graphs/gambler.py
"""

import json
from typing import Any

import fairlead

NOTIONS = ("none", "ewf", "pwf", "esf", "psf", "sgf")


def gambler(coins: int) -> dict[str, Any]:
    """States are numbers of coins; the gambler starts with one of them."""
    games = range(1, coins)
    won = [[k, "win", k + 1, ["gambler"]] for k in games]
    lost = [[k, "lose", k - 1, ["gambler"]] for k in games]
    return {
        "states": coins + 1,
        "initial": 1,
        "transitions": [*won, *lost],
        "props": {"over": [0, coins]},
        "terminated": [0, coins],
    }


for coins in (2, 3, 4, 5):
    model = fairlead.loads(json.dumps(gambler(coins)), "json")
    holding = [notion for notion in NOTIONS if model.check("|= <> over", notion)]
    print(f"{coins} coins: the game ends under {', '.join(holding)}")
    assert holding == (list(NOTIONS) if coins == 2 else ["sgf"])
