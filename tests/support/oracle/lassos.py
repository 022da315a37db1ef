"""Judging one lasso: is it an execution, is it fair, does it violate a formula, each by the definition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.support.oracle.fairness import is_fair
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step, idle

AnyStep = Step | tuple[int, str | None, int, Iterable[str]] | None


def judge_lasso(
    graph: Graph, stem: Sequence[AnyStep], loop: Sequence[AnyStep], formula: Formula, fairness: str
) -> tuple[bool, bool, bool]:
    """(is_path, is_fair, violates); the last two are False when it is no path.

    A step is (source, event, target, processes); an idle step has event None, or is None altogether.
    """
    steps = _run(graph, [*stem, *loop])
    if steps is None or not loop or steps[-1].target != steps[len(stem)].source:
        return False, False, False
    stem_steps, loop_steps = steps[: len(stem)], steps[len(stem) :]
    fair = is_fair(graph, {t.source for t in loop_steps}, set(loop_steps), fairness)
    return True, fair, not satisfies(graph, stem_steps, loop_steps, formula)


def _run(graph: Graph, given: Sequence[AnyStep]) -> list[Step] | None:
    """The steps, each checked to be one of its state's, in a row from the initial state."""
    state, steps = graph.initial, []
    for item in given:
        step = idle(state) if item is None else Step(item[0], item[1], item[2], frozenset(item[3] or ()))
        if step.source != state or step not in graph.steps(state):
            return None
        steps.append(step)
        state = step.target
    return steps


def satisfies(graph: Graph, stem: Sequence[Step], loop: Sequence[Step], formula: Formula) -> bool:
    """Whether the execution stem loop loop … satisfies the formula at position 0.

    Position i > 0 is the state after step i-1, with the event of that step. The first state of the loop may
    be entered by different events from the stem and from the end of the loop, so it has two positions,
    len(stem) and len(stem) + len(loop); position len(stem) + 1 follows both.
    """
    steps = [*stem, *loop]
    positions = len(steps) + 1
    state_at = [graph.initial, *(t.target for t in steps)]
    event_into = [None, *(t.event for t in steps)]

    def after(i: int) -> int:
        return i + 1 if i + 1 < positions else len(stem) + 1

    def walk(i: int) -> list[int]:
        """Positions i, i+1, … : after `positions` many, all that there are have been seen."""
        seen = [i]
        while len(seen) < positions:
            seen.append(after(seen[-1]))
        return seen

    memo: dict[tuple[Formula, int], bool] = {}

    def holds(f: Formula, i: int) -> bool:
        if (f, i) not in memo:
            memo[f, i] = judge(f, i)
        return memo[f, i]

    def until(f: Formula, g: Formula, i: int, otherwise: bool) -> bool:
        for j in walk(i):
            if holds(g, j):
                return True
            if not holds(f, j):
                return False
        return otherwise

    def judge(f: Formula, i: int) -> bool:
        match f:
            case ("true",):
                return True
            case ("false",):
                return False
            case ("prop", name):
                return state_at[i] in graph.props[name]
            case ("event", name):
                return bool(event_into[i] == name)
            case ("not", g):
                return not holds(g, i)
            case ("and", g, h):
                return holds(g, i) and holds(h, i)
            case ("or", g, h):
                return holds(g, i) or holds(h, i)
            case ("implies", g, h):
                return not holds(g, i) or holds(h, i)
            case ("iff", g, h):
                return holds(g, i) == holds(h, i)
            case ("X", g):
                return holds(g, after(i))
            case ("F", g):
                return any(holds(g, j) for j in walk(i))
            case ("G", g):
                return all(holds(g, j) for j in walk(i))
            case ("U", g, h):
                return until(g, h, i, otherwise=False)
            case ("W", g, h):
                return until(g, h, i, otherwise=True)
            case ("R", g, h):  # h up to and including the first position with g, or forever
                for j in walk(i):
                    if not holds(h, j):
                        return False
                    if holds(g, j):
                        return True
                return True
        raise ValueError(f"not a formula: {f!r}")

    return holds(formula, 0)
