"""Fairness as a formula, word for word, on what an execution does infinitely often; and random ones.

A predicate is ("true",), ("false",), ("prop", name), ("event", name), ("enabled", name), ("executed", name),
or a boolean connective; a name after enabled and executed is a process or an event. A condition is
("GF", predicate), ("FG", predicate), ("weak", name), ("strong", name), ("impartial",), one of QUANTIFIERS
with a variable and a condition, or a boolean connective.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.support.oracle.annotations import Note, is_fair_to, wanted
from tests.support.oracle.fairness import NOTIONS, is_fair
from tests.support.oracle.formulas import Formula
from tests.support.oracle.graphs import Graph, Step
from tests.support.oracle.verdict import maximal_components, strongly_connected

EVERY_NOTION = (*NOTIONS, "impartial")
CONNECTIVES = {"and": "&&", "or": "||", "implies": "->", "iff": "<->"}
QUANTIFIERS = ("all processes", "some process", "all events", "some event")
SPELLINGS = {"GF": ("GF ", "G F ", "[]<>", "F∞ "), "FG": ("FG ", "F G ", "<>[]", "G∞ ")}


# --- what is true at a position ----------------------------------------------------------------------------


def takes(step: Step, name: str) -> bool:
    """Whether the step is one of the process, or of the event, of this name."""
    return name in step.processes or name == step.event


def holds_at(graph: Graph, f: Formula, state: int, step: Step | None) -> bool:
    """The truth of a predicate in a state that was entered by the step (None at the start)."""
    match f:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("prop", name):
            return state in graph.props[name]
        case ("event", name):
            return step is not None and step.event == name
        case ("enabled", name):
            return any(takes(t, name) for t in graph.outgoing(state))
        case ("executed", name):
            return step is not None and takes(step, name)
        case (connective, *operands):
            return combine(connective, [holds_at(graph, g, state, step) for g in operands])
    raise ValueError(f"not a predicate: {f!r}")


def combine(connective: str, values: Sequence[bool]) -> bool:
    match connective, values:
        case "not", [one]:
            return not one
        case "and", [one, other]:
            return one and other
        case "or", [one, other]:
            return one or other
        case "implies", [one, other]:
            return not one or other
        case "iff", [one, other]:
            return one == other
    raise ValueError(f"not a connective: {connective!r}")


# --- conditions on executions ------------------------------------------------------------------------------


def plain(graph: Graph, condition: Formula) -> Formula:
    """The condition without weak, strong, impartial and quantifiers."""
    match condition:
        case ("weak", name):
            return ("implies", ("FG", ("enabled", name)), ("GF", ("executed", name)))
        case ("strong", name):
            return ("implies", ("GF", ("enabled", name)), ("GF", ("executed", name)))
        case ("impartial",):
            return plain(graph, ("all processes", "i", ("GF", ("executed", "i"))))
        case ("GF" | "FG" | "true" | "false", *_):
            return condition
        case (word, variable, body) if word in QUANTIFIERS:
            names = graph.processes() if "process" in word else graph.events()
            result: Formula = ("true",) if word.startswith("all") else ("false",)
            for name in names:
                part = plain(graph, _replaced(body, variable, name))
                result = ("and" if word.startswith("all") else "or", result, part)
            return result
    return (condition[0], *(plain(graph, part) for part in condition[1:]))


def _replaced(f: Formula, variable: str, name: str) -> Formula:
    if f[0] in ("enabled", "executed", "weak", "strong"):
        return (f[0], name if f[1] == variable else f[1])
    if f[0] in QUANTIFIERS and f[1] == variable:  # the inner one counts
        return f
    return tuple(_replaced(part, variable, name) if isinstance(part, tuple) else part for part in f)


def is_met(graph: Graph, condition: Formula, steps: Iterable[Step]) -> bool:
    """Whether an execution that takes exactly `steps` infinitely often meets a plain condition.

    Its positions, from some point on, are the targets of these steps, each entered by its step.
    """
    match condition:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("GF", f):
            return any(holds_at(graph, f, t.target, t) for t in steps)
        case ("FG", f):
            return all(holds_at(graph, f, t.target, t) for t in steps)
        case (connective, *parts):
            return combine(connective, [is_met(graph, part, steps) for part in parts])
    raise ValueError(f"not a condition: {condition!r}")


@dataclass(frozen=True)
class Assumption:
    """Which executions are fair: those that satisfy a notion, a condition and annotations of the model."""

    notion: str = "none"
    condition: Formula | None = None
    notes: tuple[Note, ...] = ()


def is_fair_loop(graph: Graph, steps: Iterable[Step], assumption: Assumption) -> bool:
    """Whether an execution that takes exactly `steps` infinitely often is fair."""
    steps = set(steps)
    states = {t.source for t in steps}
    match assumption.notion:
        case "impartial":
            by_notion = all(any(p in t.processes for t in steps) for p in graph.processes())
        case "sgf":  # who takes part makes a difference here, as formulas can speak of it
            by_notion = all(t in steps for s in states for t in graph.outgoing(s))
        case notion:
            by_notion = is_fair(graph, states, steps, notion)
    return (
        by_notion
        and (assumption.condition is None or is_met(graph, plain(graph, assumption.condition), steps))
        and all(is_fair_to(graph, states, steps, note) for note in assumption.notes)
    )


# --- two ways to find what fair executions do infinitely often ---------------------------------------------

Edge = Any  # anything with a source and a target, such as a step


def parts_by_enumeration(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Every strongly connected set of edges."""
    for component in maximal_components(edges):
        for mask in range(1, 1 << len(component)):
            chosen = [e for i, e in enumerate(component) if mask >> i & 1]
            if strongly_connected(chosen):
                yield chosen


def parts_by_cutting(edges: Iterable[Edge], cuts: Iterable[Callable[[Edge], bool]]) -> Iterator[list[Edge]]:
    """The maximal components of what remains when some of the cuts are made, in all combinations.

    If `cuts` are those of an assumption and some strongly connected set is fair, one of these around it is
    fair: make those cuts that take nothing away from the set, and take the component around it. All that must
    never happen in the set does not happen there, all that must happen does.
    """
    families = {frozenset(edges)}
    for keeps in cuts:
        families |= {frozenset(e for e in family if keeps(e)) for family in families}
    seen = set()
    for family in families:
        for component in maximal_components(family):
            if frozenset(component) not in seen:
                seen.add(frozenset(component))
                yield component


def cuts_of(graph: Graph, assumption: Assumption) -> set[frozenset[Step]]:
    """The steps that remain if something is never to happen, for all that fairness may forbid."""
    forbidden: list[Callable[[Step], bool]] = []

    def forbid(f: Formula) -> None:
        forbidden.append(lambda t: holds_at(graph, f, t.target, t))

    for name in {"esf": graph.events(), "psf": graph.processes()}.get(assumption.notion, []):
        forbid(("enabled", name))
    for operator, f in _leaves(plain(graph, assumption.condition or ("true",))):
        forbid(f if operator == "GF" else ("not", f))
    strong = [note for note in assumption.notes if note.kind in ("sf", "sl")]
    forbidden += [lambda t, note=note: wanted(graph, note, t.target) for note in strong]
    steps = [t for state in range(graph.states) for t in graph.steps(state)]
    return {frozenset(t for t in steps if not happens(t)) for happens in forbidden}


def _leaves(condition: Formula) -> Iterator[Formula]:
    if condition[0] in ("GF", "FG"):
        yield condition
    else:
        for part in condition[1:]:
            yield from _leaves(part)


# --- texts -------------------------------------------------------------------------------------------------


def predicate_text(f: Formula) -> str:
    """Fully parenthesised, so that no precedence matters."""
    match f:
        case ("true" | "false",):
            return str(f[0])
        case ("prop" | "event", name):
            return str(name)
        case ("enabled" | "executed", name):
            return f"{f[0]}({name})"
        case ("not", g):
            return f"!{predicate_text(g)}"
        case (connective, g, h):
            return f"({predicate_text(g)} {CONNECTIVES[connective]} {predicate_text(h)})"
    raise ValueError(f"not a predicate: {f!r}")


def condition_text(f: Formula, spelling: Callable[[Sequence[str]], str] = lambda ways: ways[0]) -> str:
    """The condition as one writes it; `spelling` chooses among the ways to write "infinitely often"."""
    match f:
        case ("true" | "false" | "impartial",):
            return str(f[0])
        case ("GF" | "FG", g):
            return f"{spelling(SPELLINGS[f[0]])}{predicate_text(g)}"
        case ("weak" | "strong", name):
            return f"{f[0]}({name})"
        case (word, variable, body) if word in QUANTIFIERS:
            return f"({word} {variable}: {condition_text(body, spelling)})"
        case ("not", g):
            return f"!({condition_text(g, spelling)})"
        case (connective, g, h):
            return f"({condition_text(g, spelling)} {CONNECTIVES[connective]} {condition_text(h, spelling)})"
    raise ValueError(f"not a condition: {f!r}")


# --- random conditions -------------------------------------------------------------------------------------


def atoms_of(graph: Graph) -> list[Formula]:
    """All that can be said of a position of the graph without connectives."""
    names = [*graph.events(), *graph.processes()]
    return [
        *(("prop", name) for name in graph.props),
        *(("event", name) for name in graph.events()),
        *(("enabled", name) for name in names),
        *(("executed", name) for name in names),
    ]


def random_predicate(rng: Random, atoms: Sequence[Formula], operators: int) -> Formula:
    if operators == 0:
        return (rng.choice(["true", "false"]),) if rng.random() < 0.03 else rng.choice(atoms)
    if rng.random() < 0.4:
        return ("not", random_predicate(rng, atoms, operators - 1))
    left = rng.randint(0, operators - 1)
    return (
        rng.choice(["and", "and", "or", "or", "implies", "iff"]),
        random_predicate(rng, atoms, left),
        random_predicate(rng, atoms, operators - 1 - left),
    )


def random_condition(rng: Random, graph: Graph) -> Formula:
    """One of the forms that the literature names, or any combination."""
    atoms = atoms_of(graph)
    names = [*graph.events(), *graph.processes()]

    def leaf(operator: str | None = None) -> Formula:
        return (operator or rng.choice(["GF", "FG"]), random_predicate(rng, atoms, rng.choice([0, 0, 1, 2])))

    def canonical() -> Formula:
        return _joined("and", [("or", leaf("GF"), leaf("FG")) for _ in range(rng.randint(1, 3))])

    def macro() -> Formula:
        if rng.random() < 0.15 or not names:
            return ("impartial",)
        return (rng.choice(["weak", "strong"]), rng.choice(names))

    def quantified() -> Formula:
        variables = rng.choice([["i"], ["p"], ["i", "j"], ["i", "i"]])  # p may be a proposition as well
        own: list[Formula] = [(word, v) for word in ("enabled", "executed") for v in variables]
        some = own if "p" in variables else [*own, *own, *rng.sample(atoms, min(2, len(atoms)))]

        def about() -> Formula:
            if rng.random() < 0.3:
                return (rng.choice(["weak", "strong"]), rng.choice(variables))
            return (rng.choice(["GF", "FG"]), random_predicate(rng, some, rng.choice([0, 0, 1])))

        result = about() if rng.random() < 0.5 else (rng.choice(["and", "or", "implies"]), about(), about())
        for variable in variables:
            result = (rng.choice(QUANTIFIERS), variable, result)
        return result

    def tree(operators: int) -> Formula:
        if operators == 0:
            return rng.choice([leaf, leaf, leaf, macro, quantified])()
        if rng.random() < 0.25:
            return ("not", tree(operators - 1))
        left = rng.randint(0, operators - 1)
        return (rng.choice(list(CONNECTIVES)), tree(left), tree(operators - 1 - left))

    forms: list[Callable[[], Formula]] = [
        canonical,
        canonical,
        lambda: ("or", canonical(), canonical()),
        lambda: _joined("and", [("implies", leaf("GF"), leaf("GF")) for _ in range(rng.randint(1, 3))]),
        lambda: _joined("and", [("or", leaf("FG"), leaf("FG")) for _ in range(rng.randint(1, 2))]),
        lambda: _joined("and", [macro() for _ in range(rng.randint(1, 3))]),
        quantified,
        lambda: tree(rng.randint(0, 2)),
        lambda: tree(rng.randint(1, 3)),
    ]
    return rng.choice(forms)()


def _joined(connective: str, parts: Sequence[Formula]) -> Formula:
    result = parts[0]
    for part in parts[1:]:
        result = (connective, result, part)
    return result


def random_assumption(rng: Random, graph: Graph, notes: Sequence[Note] = ()) -> Assumption:
    """A notion, mostly none, with a condition, mostly."""
    notion = "none" if rng.random() < 0.4 else rng.choice(EVERY_NOTION)
    condition = None if rng.random() < 0.15 else random_condition(rng, graph)
    return Assumption(notion, condition, tuple(notes))
