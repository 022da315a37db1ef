"""The nodes of a product from which fair executions never have to depart: fixpoints after Emerson and Lei.

docs/explanation/symbolic.md has the proofs. For strong fairness the fixpoint is that of Kesten, Pnueli and
Raviv (ICALP 1998), which needs no recursion over components.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.base.records import dataclass
from fairlead.engine.symbolic import StateSet
from fairlead.search.symbolic.conditions import Branch
from fairlead.search.symbolic.product import Move, Nodes, Product, Steps, is_same


@dataclass(frozen=True)
class Demands:
    """What is demanded in a product: moves of each set are taken infinitely often, and pairs are respected.

    A pair has states, and moves that are taken infinitely often if nodes with these states are visited so.
    """

    product: Product
    often: tuple[tuple[Move, ...], ...]
    pairs: tuple[tuple[StateSet, tuple[Move, ...]], ...]


def demands_of(product: Product, branch: Branch, marks: int) -> Demands:
    """What a branch and an automaton with some acceptance sets demand."""
    for always in branch.always:
        product = Product(product.target, _moves_by(product, always))
    marked = [tuple(move for move in product.moves if move.marks >> mark & 1) for mark in range(marks)]
    often = [_moves_by(product, steps) for steps in branch.often]
    pairs = tuple((pair.bad, _moves_by(product, pair.good)) for pair in branch.pairs)
    return Demands(product, (*marked, *often), pairs)


def _moves_by(product: Product, steps: Sequence[Steps]) -> tuple[Move, ...]:
    """The moves that are among some steps."""
    found = [product.common(move, each) for move in product.moves for each in steps]
    return tuple(
        move for move in found if (move.steps.actions or move.steps.idles) and not move.steps.states.is_empty
    )


def fair_hull(demands: Demands, nodes: Nodes) -> Nodes:
    """The largest part of the nodes in which every node has a step, and whatever is demanded can be reached.

    It has every cycle that is fair. Where it is not empty there is one: each of its terminal components is
    fair.
    """
    product = demands.product
    hull = product.intersect(nodes, product.full())
    # where some set of moves is demanded, every node has a step on its way to one of them
    often = demands.often or (product.moves,)
    while hull:
        before = hull
        for moves in often:
            hull = product.leading_to(_sources(product, hull, moves), hull)
        for bad, moves in demands.pairs:
            recovering = product.leading_to(_sources(product, hull, moves), hull)
            hull = product.unite(product.subtract(hull, dict.fromkeys(hull, bad)), recovering)
        if is_same(before, hull):
            break
    return hull


def _sources(product: Product, nodes: Nodes, moves: Sequence[Move]) -> Nodes:
    """The nodes from which one of some moves stays among them."""
    return product.intersect(nodes, product.before(nodes, moves))
