"""Whether counting keeps the answer to a question (docs/explanation/counters.md proves each claim)."""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.logic.automata.automaton import Automaton
from fairlead.logic.fairness.notions import Fairness, Subject
from fairlead.logic.ltl import Exists, Formula, Not, children
from fairlead.reduce.counters.symmetry import Merged


def notion_problem(notion: Fairness, groups: Iterable[Merged]) -> str | None:
    """Why counted processes cannot be treated fairly in this sense, if so."""
    merged = list(groups)
    if not merged:
        return None
    if notion.facts.counting_problem is not None:
        return notion.facts.counting_problem
    if notion.subject is Subject.PROCESSES:
        for group in merged:
            name = group.group.process
            if group.facts.forks:
                return f"{name} may become several processes, which are one for {notion.title}"
            if group.facts.one_process:
                return f"all processes {group.name} are parts of {name}, which is one for {notion.title}"
    if notion.subject is Subject.EVENTS:
        for group in merged:
            if group.facts.has_internal_steps:
                name = group.group.process
                return f"{name} may have internal steps, which are another event for each process"
    if notion.is_global and any(group.least is not None for group in merged):
        return "strong global fairness is not preserved for unboundedly many processes"
    return None


def has_single_state_loops(violations: Automaton) -> bool:
    """Whether the automaton can stay accepting only in one state at a time.

    Then under strong global fairness an accepting run is one through a terminal component all of whose steps
    that state allows, in whatever order they come. With more states the order may matter, and what counted
    processes can do in some order may not be possible for each of them.
    """
    return all(len(violations.components[number]) == 1 for number in violations.accepting_components)


def is_universal(formula: Formula) -> bool:
    """Whether a formula in existential form speaks of all paths only: systems that do less keep it."""
    pending = [(formula, True)]
    while pending:
        node, positive = pending.pop()
        if isinstance(node, Exists) and positive:
            return False
        inside = not positive if isinstance(node, Not) else positive
        pending += [(part, inside) for part in children(node)]
    return True
