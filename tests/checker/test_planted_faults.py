"""Faults planted into what the engine tells: each leads to a wrong `holds`, and the checker catches it.

Every model violates its assertion. With the fault, the writer finds a reason why it holds (without, it finds
none); the certificate that it then writes is rejected.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import fairlead
from fairlead.base.diagnostics import InternalError
from fairlead.certify.expansion import Edge
from fairlead.certify.questions import Facts
from fairlead.certify.reasons import Reason, Why
from fairlead.checker.certificates import entries, product, tableau, ways
from fairlead.checker.certificates.demands import Demands
from fairlead.checker.certificates.entries import Entry
from fairlead.checker.certificates.explored import Explored
from fairlead.checker.certificates.product import ProductGraph, Step
from fairlead.checker.certificates.reasoning import Explained, Reasoning
from fairlead.model.annotation import Annotated
from tests.support.forging.certificates import check_parts, parts_of, written

LAMP = """var on = 0;
Lamp() = press{on = 1 - on;} -> Lamp() [] break{on = 2;} -> Stop;
#define fine on < 2;
"""
CHOICE = "P() = a -> P() [] b -> P();\n"
DOOR = """var x:{0..1} = 0;
P() = up{x = 1;} -> down{x = 0;} -> P();
Q() = [x == 1] c -> Q();
System() = P() ||| Q();
"""
TWO = "P() = a -> P();\nQ() = b -> Q();\nSystem() = P() ||| Q();\n"
PICK = "P() = a -> P();\nQ() = b -> Q() [] d -> Q();\nSystem() = P() ||| Q();\n"
PLACES = """var place:{0..2} = 0;
#define top place == 2;
Zero() = a{place = 1;} -> One() [] c -> Zero();
One()  = b{place = 0;} -> Zero() [] a{place = 2;} -> Two();
Two()  = b{place = 1;} -> One();
"""
ENDS = "P() = a -> b -> Stop;\n"
MARKED = "P() = wf(a) -> P() [] b -> P() [] c -> R();\nR() = c -> R();\n"
SPIN = "P() = a -> Q();\nQ() = tau -> R() [] b -> P();\nR() = tau -> Q();\n"
#: the label of its last step
TAU = "τ[tau 3:7]@P()"
SAME = """var n = 0;
P(i) = up.i{n = n + 1;} -> down.i{n = n - 1;} -> P(i);
System() = ||| i:{0..1} @ P(i);
#define both n == 2;
"""


def first(explored: Explored, event: str) -> tuple[int, int]:
    """The first step with an event: its state, and its place among those of the state."""
    return next(
        (state, place)
        for state in explored.reachable
        for place, (action, _) in enumerate(explored.rows[state])
        if explored.action(action)[0] == event
    )


# ---------------------------------------------------------------- what is told of the system


def dropped(event: str) -> Callable[[Explored], None]:
    """A successor is dropped, with all that can be reached by it alone."""

    def alter(explored: Explored) -> None:
        for row in explored.rows:
            row[:] = [(action, to) for action, to in row if explored.action(action)[0] != event]
        levels = explored.levels
        explored.levels = {state: levels[state] for state in _reached(explored)}

    return alter


def _reached(explored: Explored) -> list[int]:
    found = dict.fromkeys(explored.initial)
    for state in (order := list(found)):
        for _, target in explored.rows[state]:
            if target not in found:
                found[target] = None
                order.append(target)
    return order


def redirected(event: str) -> Callable[[Explored], None]:
    """A step leads back to its own state."""

    def alter(explored: Explored) -> None:
        for state, row in enumerate(explored.rows):
            row[:] = [(action, state if explored.action(action)[0] == event else to) for action, to in row]
        explored.levels = {state: explored.levels[state] for state in _reached(explored)}

    return alter


def renamed(event: str, other: str) -> Callable[[Explored], None]:
    """A step is told with the event of another."""

    def alter(explored: Explored) -> None:
        state, place = first(explored, event)
        number = explored.rows[state][place][0]
        explored._actions[number] = other, explored.action(number)[1]

    return alter


def taken_by(event: str, *processes: str) -> Callable[[Explored], None]:
    """A step is told with other participants."""

    def alter(explored: Explored) -> None:
        state, place = first(explored, event)
        explored._actions[explored.rows[state][place][0]] = event, frozenset(processes)

    return alter


def stopped_early(explored: Explored) -> None:
    """The last level is missing."""
    last = max(explored.levels.values())
    explored.levels = {state: level for state, level in explored.levels.items() if level < last}
    for row in explored.rows:
        row[:] = [(action, to) for action, to in row if to in explored.levels]


def without_initial(explored: Explored) -> None:
    """No state is initial."""
    explored.initial, explored.levels = [], {}


def same_name(explored: Explored) -> None:
    """Two states have one name, as if by a collision of hashes: the last is taken for the first."""
    last, start = max(explored.levels, key=explored.levels.__getitem__), explored.initial[0]
    for row in explored.rows:
        row[:] = [(action, start if to == last else to) for action, to in row]
    del explored.levels[last]


def one_process_at_a_time(explored: Explored) -> None:
    """Too eager a reduction: of every state only the steps of the first process are kept."""
    for row in explored.rows:
        names = sorted({min(explored.action(action)[1]) for action, _ in row})
        row[:] = [(action, to) for action, to in row if min(explored.action(action)[1]) in names[:1]]
    explored.levels = {state: explored.levels[state] for state in _reached(explored)}


def up_to_exchange(explored: Explored) -> None:
    """Too eager a symmetry: every state with one process up is taken for the first."""
    second = explored.levels.copy()
    ones = [state for state, level in second.items() if level == 1]
    for row in explored.rows:
        row[:] = [(action, ones[0] if to in ones else to) for action, to in row if to not in ones[1:]]
    del explored.levels[max(second, key=second.__getitem__)]
    explored.levels = {state: second[state] for state in _reached(explored) if second[state] < 2}
    for row in explored.rows:
        row[:] = [(action, to) for action, to in row if to in explored.levels]


def never_true(explored: Explored) -> None:
    """A proposition is told to be true everywhere."""
    explored._holds = lambda proposition, state: True  # type: ignore[method-assign]


def annotated(*more: tuple[str, str]) -> Callable[[Explored], None]:
    """Annotations are told to be ready that are not in the model."""

    def alter(explored: Explored) -> None:
        explored.ready = [frozenset(Annotated(*one) for one in more)] * len(explored.rows)

    return alter


TOLD: dict[str, tuple[str, str, str, Callable[[Explored], object]]] = {
    "a dropped successor": (LAMP, "Lamp() |= [] fine", "none", dropped("break")),
    "a dropped successor that is a way to starve": (CHOICE, "P() |= []<> a", "none", dropped("b")),
    "a redirected step": (LAMP, "Lamp() |= [] fine", "none", redirected("break")),
    "a renamed event": (CHOICE, "P() |= []<> a", "none", renamed("b", "a")),
    "a lost participant": (TWO, "System() |= []<> a", "none", renamed("b", "a")),
    "a step of another process": (PICK, "System() |= []<> d", "pwf", taken_by("b", "P()")),
    "a missing level": (ENDS, "P() deadlockfree", "none", lambda e: (stopped_early(e), stopped_early(e))),
    "no initial state": (LAMP, "Lamp() |= [] fine", "none", without_initial),
    "two states with one name": (ENDS, "P() deadlockfree", "none", same_name),
    "an over-eager partial order reduction": (TWO, "System() |= []<> a", "none", one_process_at_a_time),
    "an over-eager symmetry": (SAME, "System() |= [] !both", "none", up_to_exchange),
    "a wrong proposition": (LAMP, "Lamp() |= [] fine", "none", never_true),
    "an annotation that there is not": (MARKED, "P() |= []<> c", "none", annotated(("c", "f"))),
    "an annotation of another kind": (MARKED, "P() |= []<> a", "none", annotated(("a", "f"))),
    "an internal step told as an event": (SPIN, "P() divergencefree", "none", renamed(TAU, "b")),
}


def _check_rejected(
    source: str, question: str, notion: str, alter: Callable[[Explored], object], folder: Path
) -> None:
    """The certificate is rejected that is written with the fault."""
    path = folder / "model.csp"
    path.write_text(source, encoding="utf-8")
    model = fairlead.load(path)
    parts = parts_of(path, [written(model, model.assertion(question), notion, alter)])
    (found,) = check_parts(path, parts, folder / "certificate")
    assert found.problem is not None, "the wrong certificate is accepted"


def test_there_are_at_least_twenty() -> None:
    assert len(TOLD) + len(MADE) >= 20


@pytest.mark.parametrize("fault", TOLD)
def test_a_wrong_graph_is_noticed(fault: str, tmp_path: Path) -> None:
    source, question, notion, alter = TOLD[fault]
    model = fairlead.loads(source)
    assert model.check(question, notion).verdict is fairlead.Verdict.VIOLATED
    _check_rejected(source, question, notion, alter, tmp_path)


# ---------------------------------------------------------------- what is made of it


def _automaton(change: Callable[[list[list[Edge]]], list[list[Edge]]]) -> Any:
    """The automaton is changed, and told as it is then."""
    honest = tableau.violation_automaton

    def made(expansion: Any) -> tableau.ViolationAutomaton:
        found = honest(expansion)
        edges = change(found.edges)
        told = [[[one.positive, one.negative, one.target, one.marks] for one in row] for row in edges]
        return tableau.ViolationAutomaton(edges, found.sets, {**found.data, "edges": told})

    return patch.object(product, "violation_automaton", made)


def _without_last_edges(edges: list[list[Edge]]) -> list[list[Edge]]:
    return [[one for one in row if one.target == place] for place, row in enumerate(edges)]


def _without_marks(edges: list[list[Edge]]) -> list[list[Edge]]:
    return [[Edge(one.positive, one.negative, one.target, 0) for one in row] for row in edges]


def _narrower(edges: list[list[Edge]]) -> list[list[Edge]]:
    return [[Edge(one.positive | 1, one.negative, one.target, one.marks) for one in row] for row in edges]


def _lost_marks() -> Any:
    """The search loses the acceptance marks of steps, whatever the automaton says."""
    honest = ProductGraph._explore

    def explore(self: ProductGraph) -> None:
        honest(self)
        self.steps = [[Step(s.target, s.edge, s.action, 0) for s in row] for row in self.steps]

    return patch.object(ProductGraph, "_explore", explore)


def _no_idling() -> Any:
    """A state without transitions is not left by idling: no execution stays there."""
    honest = ProductGraph._explore

    def explore(self: ProductGraph) -> None:
        honest(self)
        rows = zip(self.nodes, self.steps, strict=True)
        self.steps = [row if self.explored.rows[state] else [] for (state, _), row in rows]

    return patch.object(ProductGraph, "_explore", explore)


def _explained(make: Callable[[Reasoning, list[int]], Explained | None]) -> Any:
    honest = Reasoning._explained

    def explained(self: Reasoning, *given: Any) -> Explained:
        return make(self, given[0]) or honest(self, *given)

    return patch.object(Reasoning, "_explained", explained)


def _no_components() -> Any:
    """Components are taken for single nodes without steps of their own."""
    return _explained(lambda self, _: Explained(self._reason(Reason(Why.NO_STEPS)), {}))


def _never_closed() -> Any:
    """A closed component is taken for one that can be left."""

    def make(self: Reasoning, nodes: list[int]) -> Explained:
        return Explained(self._reason(Reason(Why.EXIT)), dict.fromkeys(nodes, (0, 0)))

    return _explained(make)


def _weak_is_strong() -> Any:
    """Under weak fairness it is enough that someone is enabled somewhere."""
    honest = Demands.unfairly_treated

    def unfairly_treated(self: Demands, edges: Any) -> tuple[set[str], set[str]]:
        _, sometimes = honest(self, edges)
        return sometimes, sometimes

    return patch.object(Demands, "unfairly_treated", unfairly_treated)


def _enabled_everywhere() -> Any:
    """Everyone is told to be enabled in all states."""
    names = frozenset({"P()", "Q()", "a", "b", "c", "up", "down"})
    return patch.object(Demands, "enabled", lambda self, state: names)


def _nobody_is_taken() -> Any:
    """Steps are not told to have been taken by anyone."""
    honest = Demands.unfairly_treated

    def unfairly_treated(self: Demands, edges: Any) -> tuple[set[str], set[str]]:
        states = {self._product.nodes[step.target][0] for _, step in edges}
        enabled = [self.enabled(state) for state in states]
        honest(self, edges)
        return set(frozenset.intersection(*enabled)), set(frozenset.union(*enabled))

    return patch.object(Demands, "unfairly_treated", unfairly_treated)


def _more_processes() -> Any:
    """A process that takes part in no step is counted among those that impartiality is about."""
    honest = entries.facts_of
    more = Facts(processes=frozenset({"Z()"}))
    return patch.object(entries, "facts_of", lambda explored: honest(explored) | more)


def _everything_is_dead() -> Any:
    """States are told to have nothing of a condition ahead of them."""
    return patch.object(ways, "_dead", lambda explored, condition: range(len(explored.rows)))


def _ranks_in_order() -> Any:
    """Internal steps are told to end."""
    return patch.object(entries, "internal_ranks", lambda explored: list(range(len(explored.rows), 0, -1)))


MADE: dict[str, tuple[str, str, str, Callable[[], Any]]] = {
    "a missing automaton edge": (LAMP, "Lamp() |= [] fine", "none", lambda: _automaton(_without_last_edges)),
    "an automaton that has lost its marks": (
        CHOICE,
        "P() |= []<> a",
        "none",
        lambda: _automaton(_without_marks),
    ),
    "an automaton with guards too narrow": (CHOICE, "P() |= []<> a", "none", lambda: _automaton(_narrower)),
    "a lost acceptance mark": (PLACES, "Zero() |= <>[] !b", "none", _lost_marks),
    "no idling in a deadlock": (ENDS, "P() |= []<> a", "none", _no_idling),
    "a component that is not seen": (CHOICE, "P() |= []<> a", "none", _no_components),
    "a closed component taken for an open one": (CHOICE, "P() |= <>[] a", "sgf", _never_closed),
    "weak fairness taken for strong": (DOOR, "System() |= []<> c", "pwf", _weak_is_strong),
    "a process told to be enabled": (DOOR, "System() |= []<> c", "pwf", _enabled_everywhere),
    "strong fairness that overlooks what is taken": (CHOICE, "P() |= <>[] a", "esf", _nobody_is_taken),
    "a process that does not count": (TWO, "System() |= <>[] a", "impartial", _more_processes),
    "an internal cycle that is not seen": (SPIN, "P() divergencefree", "none", _ranks_in_order),
}


@pytest.mark.parametrize("fault", MADE)
def test_a_wrong_search_is_noticed(fault: str, tmp_path: Path) -> None:
    source, question, notion, planted = MADE[fault]
    model = fairlead.loads(source)
    assert model.check(question, notion).verdict is fairlead.Verdict.VIOLATED
    with pytest.raises(InternalError, match="no certificate"):
        written(model, model.assertion(question), notion)
    with planted():
        _check_rejected(source, question, notion, lambda explored: None, tmp_path)


def test_a_terminal_set_that_is_overlooked(tmp_path: Path) -> None:
    path = tmp_path / "model.lts"
    path.write_text("P = (a -> P | b -> Q), Q = (b -> Q).\nprogress A = {a}\nprogress C = if {b} then {a}\n")
    model = fairlead.load(path)
    for question in model.assertions:
        if "progress" not in question.text:
            continue
        assert model.check(question).verdict is fairlead.Verdict.VIOLATED
        with pytest.raises(InternalError, match="no certificate"):
            written(model, question, "sgf")
        entry: Entry | None = None
        with (
            _everything_is_dead()
            if "C" in question.text
            else patch.object(entries, "_given", lambda pair: (1, 0) if pair is None else pair)
        ):
            entry = written(model, question, "sgf")
        (found,) = check_parts(path, parts_of(path, [entry]), tmp_path / "certificate")
        assert found.problem is not None


def test_a_value_that_is_not_the_best(tmp_path: Path) -> None:
    path = tmp_path / "model.csp"
    path.write_text("var n = 0;\nP() = [n < 3] up{n = n + 1;} -> P();\n#define goal n > 0;\n")
    model = fairlead.load(path)
    question = model.assertion("P() reaches goal with max(n)")
    model.check(question, certificate=tmp_path / "certificate")
    from tests.support.forging.certificates import Parts

    parts = Parts.read(tmp_path / "certificate")
    assert check_parts(path, parts, tmp_path / "again")[0].problem is None
    claim, _ = parts.entries[0]
    claim["proof"]["best"] = 2
    claim["proof"]["run"] = claim["proof"]["run"][:2]
    assert check_parts(path, parts, tmp_path / "again")[0].problem is not None
