"""What fair executions must satisfy, as sets of steps that occur infinitely often or almost always."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from fairlead.base.records import dataclass
from fairlead.engine.symbolic import StateSet
from fairlead.logic.fairness.condition import AllOf, AlmostAlways, InfinitelyOften, OneOf, fold_condition
from fairlead.logic.fairness.demand import subject_conjunct
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.logic.ltl import And, Atom, Constant, Formula, Not, atoms, fold
from fairlead.model.annotation import Demand
from fairlead.model.assertion import EventAtom, Meaning, ProcessAtom
from fairlead.model.meaning import is_step_of
from fairlead.model.system import Step
from fairlead.search.symbolic.product import Steps
from fairlead.search.symbolic.space import Action, NotEncodable, SymbolicTarget

#: more clauses, or more combinations of their alternatives, are too many
MOST_CLAUSES = 20_000
MOST_BRANCHES = 32
TOO_MANY = "the fairness formula has too many alternatives"

_Leaf = InfinitelyOften | AlmostAlways


@dataclass(frozen=True)
class Pair:
    """Steps into `bad` states are taken infinitely often only if some of the `good` steps are (Streett)."""

    bad: StateSet
    good: tuple[Steps, ...]


@dataclass(frozen=True)
class Branch:
    """Conditions that an execution can satisfy together.

    Some steps of each set in `often` are taken infinitely often, each pair is respected, and from some point
    on all steps are in each set in `always`.
    """

    often: tuple[tuple[Steps, ...], ...]
    pairs: tuple[Pair, ...]
    always: tuple[tuple[Steps, ...], ...]


def conjuncts_of(target: SymbolicTarget, notion: Fairness) -> list[Conjunct]:
    """What a notion demands for each event or process of the system."""
    demand = Demand.STRONG if notion.is_strong else Demand.WEAK
    if notion.subject is Subject.EVENTS:
        events = sorted({event for event, _ in target.actions})
        return [subject_conjunct(event, EventAtom.of(event), demand) for event in events]
    if notion.subject is Subject.PROCESSES:
        processes = sorted({process for _, taking_part in target.actions for process in taking_part})
        return [subject_conjunct(name, ProcessAtom(frozenset({name})), demand) for name in processes]
    return []


def branches_of(target: SymbolicTarget, conjuncts: Sequence[Conjunct]) -> list[Branch]:
    """The executions that satisfy all conjuncts are those that satisfy one of the branches.

    Raises `NotEncodable` where there are too many.
    """
    often: list[tuple[Steps, ...]] = []
    pairs: list[Pair] = []
    choices: list[list[Branch]] = []
    for conjunct in conjuncts:
        for clause in _clauses(conjunct):
            alternatives = list(_alternatives(target, clause, conjunct.meanings))
            if len(alternatives) == 1:
                often += alternatives[0].often
                pairs += alternatives[0].pairs
                if not alternatives[0].always:
                    continue
                alternatives = [Branch((), (), alternatives[0].always)]
            choices.append(alternatives)
    combined: list[Branch] = []
    for chosen in itertools.product(*choices):
        combined.append(
            Branch(
                (*often, *itertools.chain.from_iterable(each.often for each in chosen)),
                (*pairs, *itertools.chain.from_iterable(each.pairs for each in chosen)),
                tuple(itertools.chain.from_iterable(each.always for each in chosen)),
            )
        )
        if len(combined) > MOST_BRANCHES:
            raise NotEncodable(TOO_MANY)
    return combined


def _clauses(conjunct: Conjunct) -> list[tuple[_Leaf, ...]]:
    """The condition as a conjunction of disjunctions."""

    def join(node: AllOf | OneOf, parts: list[list[tuple[_Leaf, ...]]]) -> list[tuple[_Leaf, ...]]:
        if isinstance(node, AllOf):
            return list(itertools.chain.from_iterable(parts))
        size = 1
        for part in parts:
            size *= len(part)
        if size > MOST_CLAUSES:
            raise NotEncodable(TOO_MANY)
        return [
            tuple(dict.fromkeys(itertools.chain.from_iterable(chosen)))
            for chosen in itertools.product(*parts)
        ]

    return fold_condition(conjunct.condition, lambda leaf: [(leaf,)], join)


def _alternatives(
    target: SymbolicTarget, clause: tuple[_Leaf, ...], meanings: Mapping[Atom, Meaning]
) -> Iterator[Branch]:
    """A disjunction as branches, one of which must be satisfied."""
    good = tuple(
        steps
        for leaf in clause
        if isinstance(leaf, InfinitelyOften)
        for steps in steps_where(target, leaf.predicate, meanings)
    )
    almost = [leaf.predicate for leaf in clause if isinstance(leaf, AlmostAlways)]
    if not almost or any(_reads_steps(predicate, meanings) for predicate in almost):
        yield Branch((good,), (), ())
    for predicate in almost:
        where = steps_where(target, predicate, meanings)
        if _reads_steps(predicate, meanings):
            yield Branch((), (), (where,))
        else:
            (steps,) = where
            yield Branch((), (Pair(target.complement(steps.states), good),), ())


def _reads_steps(predicate: Formula, meanings: Mapping[Atom, Meaning]) -> bool:
    return any(isinstance(meanings[atom], EventAtom | ProcessAtom) for atom in atoms(predicate))


def steps_where(
    target: SymbolicTarget, predicate: Formula, meanings: Mapping[Atom, Meaning]
) -> tuple[Steps, ...]:
    """The steps after which a predicate is true: by those atoms about steps that are true of an action."""
    about_steps = [atom for atom in atoms(predicate) if isinstance(meanings[atom], EventAtom | ProcessAtom)]
    alike: dict[frozenset[Atom], set[Action]] = {frozenset(): set()}  # idling: none of them is true
    for action in target.actions:
        step = Step(*action, None)
        true = frozenset(atom for atom in about_steps if is_step_of(meanings[atom], step))  # type: ignore[arg-type]
        alike.setdefault(true, set()).add(action)
    found: list[Steps] = []
    for true, actions in alike.items():

        def states_of(node: Formula, parts: list[StateSet], true: frozenset[Atom] = true) -> StateSet:
            if parts:
                return _combined(target, node, parts)
            return _states_of(target, node, true, about_steps, meanings)

        states = fold({}, predicate, states_of)
        found.append(Steps(frozenset(actions), states, not true))
    return tuple(found)


def _states_of(
    target: SymbolicTarget,
    leaf: Formula,
    true: frozenset[Atom],
    about_steps: Sequence[Atom],
    meanings: Mapping[Atom, Meaning],
) -> StateSet:
    if isinstance(leaf, Constant):
        return target.reachable if leaf.value else target.nothing
    assert isinstance(leaf, Atom)
    if leaf in about_steps:
        return target.reachable if leaf in true else target.nothing
    return target.states_where(meanings[leaf])


def _combined(target: SymbolicTarget, node: Formula, parts: Sequence[StateSet]) -> StateSet:
    """Predicates are in negation normal form: they have no other connectives."""
    if isinstance(node, Not):
        return target.complement(parts[0])
    join = target.intersect if isinstance(node, And) else target.unite
    return join(parts[0], parts[1])
