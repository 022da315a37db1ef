"""What a certificate says of one assertion: the claim, and the states with their notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.base.records import dataclass
from fairlead.certify.questions import Asked, Facts
from fairlead.certify.reasons import label_bytes
from fairlead.checker.certificates.demands import Demands
from fairlead.checker.certificates.explored import Explored
from fairlead.checker.certificates.pairs import PairGraph
from fairlead.checker.certificates.product import ProductGraph
from fairlead.checker.certificates.reasoning import Reasoning
from fairlead.checker.certificates.ways import internal_ranks, progress_ways, run_places
from fairlead.checker.kinds import kind_of
from fairlead.checker.query import Query
from fairlead.model.assertion import ProgressAssertion
from fairlead.model.canonical.numbers import unsigned
from fairlead.outcome.finding import Finding, Verdict
from fairlead.search.target import target_of

#: states by their encodings, each with a note
Rows = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Entry:
    """What stands in a certificate of one assertion."""

    claim: dict[str, Any]
    sections: tuple[Rows, ...]


def certificate_problem(query: Query[Any]) -> str | None:
    """Why there is no certificate for an answer to a question, if there is none."""
    kind = kind_of(query.question)
    if getattr(query.question, "system", None) is not None and kind.certificate == "pairs":
        return "a specification in another model cannot be named in a certificate"
    return None if kind.certificate in WRITERS else f"{kind.name} cannot be certified yet"


def entry_of(query: Query[Any], explored: Explored, finding: Finding) -> Entry:
    """The entry for an answered question about a system that has been explored."""
    question, asked = query.question, query.asked
    kind = kind_of(question)
    written = kind.display.written(question)
    claim: dict[str, Any] = {
        "assertion": question.text,
        "process": question.process,
        "fairness": asked.notion.value,
        "fair": None if asked.formula is None else asked.formula.text,
        "verdict": finding.verdict.value,
    }
    if written is not None:
        claim |= {"ctl": written.formula, "finite_paths": written.finite_paths}
    meant = Asked(query.context.loaded, question, asked.notion, asked.formula, claim)
    claim["proof"], sections = WRITERS[str(kind.certificate)](meant, explored, finding)
    return Entry(claim, sections)


Written = tuple[dict[str, Any], tuple[Rows, ...]]


def _all_states(asked: Asked, explored: Explored, finding: Finding) -> Written:
    """A state is listed, without a note."""
    return {}, (noted(explored, lambda _: b""),)


def _goal(asked: Asked, explored: Explored, finding: Finding) -> Written:
    """A run to the goal; without one, the states."""
    if finding.verdict is not Verdict.HOLDS:
        return _all_states(asked, explored, finding)
    assert finding.run is not None
    start, run = run_places(asked, explored, finding.run)
    return {"start": start, "run": run}, ()


def _best(asked: Asked, explored: Explored, finding: Finding) -> Written:
    """A run to a state with the best value, and all states."""
    run, _ = _goal(asked, explored, finding)
    return {**run, "best": finding.optimum}, _all_states(asked, explored, finding)[1]


def _divergence(asked: Asked, explored: Explored, finding: Finding) -> Written:
    ranks = internal_ranks(explored)
    return {}, (noted(explored, lambda state: unsigned(ranks[state])),)


def _progress(asked: Asked, explored: Explored, finding: Finding) -> Written:
    if not asked.is_fair_choice:
        return _linear(asked, explored, finding)
    assert isinstance(asked.question, ProgressAssertion)
    ways = progress_ways(explored, asked.question)

    def note(state: int) -> bytes:
        pairs = (way.get(state) for way in ways)
        return b"".join(unsigned(number) for pair in pairs for number in _given(pair))

    return {}, (noted(explored, note),)


def _given(pair: tuple[int, int] | None) -> tuple[int, int]:
    if pair is None:
        problem = "the search says that progress is made, and from some state there is no way to it"
        raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))
    return pair


def _linear(asked: Asked, explored: Explored, finding: Finding) -> Written:
    facts, sections = Facts(), []
    if asked.needs_facts(explored.target.system):
        facts = facts_of(explored)
        levels = explored.levels
        sections.append(noted(explored, lambda state: unsigned(levels[state])))
    formula, meanings = asked.formula()
    product = ProductGraph(explored, formula, meanings)
    reasoning = Reasoning(product, Demands(asked, facts, product), asked.notion.is_global)
    notes: dict[int, bytearray] = {}
    for number, (state, beside) in enumerate(product.nodes):
        tick()
        notes.setdefault(state, bytearray()).extend(unsigned(beside) + label_bytes(reasoning.labels[number]))
    rows = sorted((explored.names[state], bytes(note)) for state, note in notes.items())
    return product.automaton.data | reasoning.data(), (*sections, rows)


def facts_of(explored: Explored) -> Facts:
    """What occurs in the states that can be reached."""
    actions = {action for state in explored.reachable for action, _ in explored.rows[state]}
    named = [explored.action(action) for action in actions]
    return Facts(
        frozenset(name for _, processes in named for name in processes),
        frozenset(event for event, _ in named),
        frozenset(one for state in explored.reachable for one in explored.ready[state]),
    )


def noted(explored: Explored, note: Callable[[int], bytes]) -> Rows:
    """All states that can be reached, each with its note, in the order of their encodings."""
    names = explored.names
    return _rows(sorted(explored.reachable, key=names.__getitem__), names, note)


def _rows(states: list[int], names: list[bytes], note: Callable[[int], bytes]) -> Rows:
    for state in states:
        yield names[state], note(state)


def _pairs(asked: Asked, explored: Explored, finding: Finding) -> Written:
    """Pairs of a state and states that the specification may be in."""
    target = explored.target
    beside = Explored(target_of(asked.specification, target.limits, target), explored.clock)
    found = PairGraph(explored, beside, sees_divergence=asked.sees_divergence)
    names = sorted({one for pairs in found.pairs.values() for members in pairs for one in members})
    sets: dict[frozenset[int], int] = {}
    place = {member: number for number, member in enumerate(names)}
    rows: dict[bytes, bytes] = {}
    for state, pairs in found.pairs.items():
        tick()
        numbers = [sets.setdefault(members, len(sets)) for members in pairs]
        rank = unsigned(found.ranks.get(state, 0))
        rows[explored.names[state]] = b"".join(unsigned(number) + rank for number in numbers)
    proof = {
        "members": [beside.names[member].hex() for member in names],
        "sets": [sorted(map(place.__getitem__, members)) for members in sets],
    }
    return proof, (sorted(rows.items()),)


#: what a certificate says, by the name that the kind of question gives it
WRITERS: dict[str, Callable[[Asked, Explored, Finding], Written]] = {
    "states": _all_states,
    "divergence": _divergence,
    "goal": _goal,
    "best": _best,
    "pairs": _pairs,
    "progress": _progress,
    "formula": _linear,
}
