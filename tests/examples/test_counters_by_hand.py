"""Two systems of processes without names, written by hand as steps of a state and judged by the oracle.

They confirm the rows of expected_identical; fairlead has no part in this.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.examples.by_hand import State, changed, explored
from tests.support.examples.expected import NOTIONS, Row
from tests.support.examples.expected_identical import ROWS
from tests.support.oracle.formulas import Formula, always, eventually, prop
from tests.support.oracle.graphs import Graph
from tests.support.oracle.verdict import verdicts

LAST = -1  # the process that is not one of the N


def pairs(members: tuple[Any, ...]) -> Iterator[tuple[int, int]]:
    yield from ((i, j) for i in range(len(members)) for j in range(len(members)) if i != j)


def leading(nodes: tuple[Any, ...]) -> int:
    return sum(node is not None and node[0] for node in nodes)


def detector_steps(state: State) -> Iterator[tuple[str, State, frozenset[int]]]:
    """Each node is None before it begins, then (leads, told)."""
    correct, nodes = state
    some = leading(nodes) > 0
    if not correct:
        yield "fix", (True, nodes), frozenset((LAST,))
    for i, node in enumerate(nodes):
        alone = frozenset((i,))
        if node is None:
            yield "follow", (correct, changed(nodes, {i: (False, False)})), alone
            yield "lead", (correct, changed(nodes, {i: (True, False)})), alone
        elif not correct:
            yield "lie", (correct, changed(nodes, {i: (node[0], not node[1])})), alone
        elif node[1] != some:
            yield "tell", (correct, changed(nodes, {i: (node[0], some)})), alone
    for i, j in pairs(nodes):
        if nodes[i] is None or nodes[j] is None:
            continue
        both = frozenset((i, j))
        if nodes[i][0] and nodes[j][0]:
            yield "duel.0", (correct, changed(nodes, {j: (False, nodes[j][1])})), both
        if not nodes[i][0] and not nodes[j][0] and not nodes[i][1]:
            yield "rise.0", (correct, changed(nodes, {i: (True, False)})), both


def detectors(n: int) -> Graph:
    return explored((False, (None,) * n), detector_steps, {"oneLeader": lambda state: leading(state[1]) == 1})


def lock_steps(state: State) -> Iterator[tuple[str, State, frozenset[int]]]:
    """Each thread is out, waits, owns the object, is inside or releases it."""
    locked, threads = state
    for i, place in enumerate(threads):
        alone = frozenset((i,))
        match place:
            case "out" if locked:
                yield "getSlow", (True, changed(threads, {i: "waits"})), alone
            case "out":
                yield "getFast", (True, changed(threads, {i: "owns"})), alone
            case "owns":
                yield "enter", (locked, changed(threads, {i: "inside"})), alone
            case "inside":
                yield "leave", (locked, changed(threads, {i: "releases"})), alone
            case "releases" if "waits" not in threads:
                yield "putFast", (False, changed(threads, {i: "out"})), alone
    for i, j in pairs(threads):
        if threads[i] == "releases" and threads[j] == "waits":
            yield "handover.0", (locked, changed(threads, {i: "out", j: "owns"})), frozenset((i, j))


def locks(n: int) -> Graph:
    props = {
        "access": lambda state: "inside" in state[1],
        "alone": lambda state: state[1].count("inside") <= 1,
    }
    return explored((False, ("out",) * n), lock_steps, props)


FORMULAS: dict[str, Formula] = {
    "<>[] oneLeader": eventually(always(prop("oneLeader"))),
    "[]<> access": always(eventually(prop("access"))),
    "[] alone": always(prop("alone")),
}
SYSTEMS = {"leader_detectors.csp": detectors, "meta_lock.csp": locks}
BY_HAND = [row for row in ROWS if row.file in SYSTEMS]
#: the oracle takes its time: of larger systems only the size is compared
JUDGED = 4


@pytest.mark.parametrize("row", BY_HAND, ids=lambda row: row.id)
def test_rows_are_confirmed(row: Row) -> None:
    assert row.n is not None and row.size is not None
    graph = SYSTEMS[row.file](row.n)
    assert (graph.states, len(graph.transitions)) == (row.size.configurations, row.size.transitions)
    if row.n <= JUDGED:
        found = verdicts(graph, FORMULAS[row.formula])
        assert {notion: found[notion] for notion in NOTIONS} == row.by_notion
