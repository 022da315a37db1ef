"""What a formula, and what is assumed of executions, can distinguish: for partial order reduction.

docs/explanation/reduction.md has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fairlead.logic.fairness.condition import AllOf, AlmostAlways, Condition, InfinitelyOften, OneOf
from fairlead.logic.ltl import Always, Atom, Eventually, Formula, Next
from fairlead.logic.stuttering import FirstPosition, ignores_unseen_steps
from fairlead.model.assertion import EventAtom, Meaning, ProcessAtom
from fairlead.model.network import Network
from fairlead.model.system import Proposition
from fairlead.search.assumptions import FairnessAsked
from fairlead.search.ltl import LtlQuestion
from fairlead.search.reduced import Proviso, Sight


class _SeesAll(Exception):
    """That all steps are needed, and why."""


def formula_sight(ltl: LtlQuestion, asked: FairnessAsked, network: Network, is_finite: bool) -> Sight | str:
    """What a formula and what is assumed of executions distinguish, or why that is too much.

    Finite runs may be all that matters.
    """
    try:
        return _formula_sight(ltl, asked, network, is_finite)
    except _SeesAll as needed:
        return str(needed)


def _formula_sight(ltl: LtlQuestion, asked: FairnessAsked, network: Network, is_finite: bool) -> Sight:
    meanings = dict(ltl.meanings)
    steps = _step_atoms(meanings)
    body, first = ltl.formula, FirstPosition.NO_EVENT
    if isinstance(body, Next):  # as all formulas of FSP: what counts begins after the first step
        body, first = body.operand, FirstPosition.ANY_EVENT
    if not ignores_unseen_steps(body, steps, first):
        raise _SeesAll("invisible steps can change the truth of the formula")
    if not is_finite:
        _check_assumed(asked)
        meanings |= asked.meanings
    return Sight(
        Proviso.REACHED if is_finite else Proviso.CYCLES,
        tuple(_propositions(meanings.values())),
        frozenset(label for meaning in meanings.values() for label in _labels(meaning)),
        frozenset(name for meaning in meanings.values() for name in _processes(meaning)),
        bool(network.annotations) and not is_finite,
        first is FirstPosition.ANY_EVENT,
    )


def _check_assumed(asked: FairnessAsked) -> None:
    """Raises `_SeesAll` if what is fair depends on more than a few events and propositions."""
    if asked.notion.facts.sees is not None:
        raise _SeesAll(asked.notion.facts.sees)
    if asked.formula is None:
        return
    if not asked.formula.is_closed:
        raise _SeesAll("a fairness formula about all processes or events depends on all of them")
    for conjunct in asked.conjuncts():
        steps = _step_atoms(conjunct.meanings)
        if not all(ignores_unseen_steps(part, steps) for part in _parts(conjunct.condition)):
            raise _SeesAll("invisible steps can change the truth of the fairness formula")


def _parts(condition: Condition) -> Iterator[Formula]:
    """What a condition is a boolean combination of."""
    match condition:
        case InfinitelyOften(predicate):
            yield Always(Eventually(predicate))
        case AlmostAlways(predicate):
            yield Eventually(Always(predicate))
        case AllOf(parts) | OneOf(parts):
            for part in parts:
                yield from _parts(part)


def _step_atoms(meanings: Mapping[Atom, Meaning]) -> frozenset[Atom]:
    """The atoms about the step into a state; raises `_SeesAll` if some are about possible steps."""
    for atom, meaning in meanings.items():
        if not isinstance(meaning, Proposition | EventAtom | ProcessAtom):
            raise _SeesAll(f"{atom} depends on every step of a state")
    return frozenset(atom for atom, meaning in meanings.items() if not isinstance(meaning, Proposition))


def _propositions(meanings: Iterable[Meaning]) -> Iterator[Proposition]:
    return (meaning for meaning in meanings if isinstance(meaning, Proposition))


def _labels(meaning: Meaning) -> frozenset[str]:
    return meaning.labels if isinstance(meaning, EventAtom) else frozenset()


def _processes(meaning: Meaning) -> frozenset[str]:
    return meaning.processes if isinstance(meaning, ProcessAtom) else frozenset()
