"""Changes of a CSP# model that must not change a verdict: other names, another order.

They work on the syntax tree and give text, with a function that translates what is asked about the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any

from fairlead.base.source import Source, Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.annotation import Annotation
from tests.support.generators.csp_printing import specification_text

#: names that the language gives a meaning to
FIXED = {"tau", "terminate", "cfull", "cempty", "ccount", "csize", "cpeek"}
NAME_FIELDS = ("name", "process", "function")
WORD = re.compile(r"[A-Za-z_]\w*")
BINDERS = syntax.Parameter | syntax.IndexRange | syntax.LocalVariable

Change = Callable[[syntax.Node], syntax.Node]


@dataclass(frozen=True)
class Rewritten:
    """Another text of a model, and the names it has there."""

    text: str
    names: Mapping[str, str]

    def question(self, text: str) -> str:
        """An assertion or a formula about the original, asked about this one."""
        return translate(text, self.names)


def translate(text: str, names: Mapping[str, str]) -> str:
    """A text with other names."""
    return WORD.sub(lambda found: names.get(found[0], found[0]), text)


def declarations_of(text: str) -> tuple[syntax.Declaration, ...]:
    return parse_specification(Source("model", text)).declarations


def rebuilt(value: Any, change: Change) -> Any:
    """A tree with every node changed, children first."""
    if isinstance(value, tuple):
        return tuple(rebuilt(item, change) for item in value)
    if not isinstance(value, syntax.Node):
        return value
    parts = {item.name: getattr(value, item.name) for item in fields(value)}
    new = {name: rebuilt(part, change) for name, part in parts.items() if not isinstance(part, Span)}
    return change(replace(value, **new))


# ---------------------------------------------------------------- names


def renamed(text: str, random: Random) -> Rewritten:
    """Every name another one: of any length, in any order, and bound ones different in each definition."""
    declarations = declarations_of(text)
    used = set(WORD.findall(text))
    fresh = _fresh_names(random, used)
    bound = {name for declaration in declarations for name in _bound_names(declaration)}
    names = {
        name: next(fresh) for name in sorted(_names((*declarations,)) - _only_bound(declarations, bound))
    }
    of_process: dict[str, dict[str, str]] = {}
    for declaration in declarations:
        if isinstance(declaration, syntax.ProcessDefinition):
            local = sorted(_bound_names(declaration) - names.keys())
            of_process[declaration.name] = {name: next(fresh) for name in local}
    changed = []
    for declaration in declarations:
        own = dict(names)
        match declaration:
            case syntax.ProcessDefinition(name=name) | syntax.AlphabetDeclaration(process=name):
                own |= of_process.get(name, {})
        own |= {name: next(fresh) for name in sorted(_bound_names(declaration) - own.keys())}
        changed.append(rebuilt(declaration, _renaming(own)))
    return Rewritten(specification_text(changed), names)


def _renaming(names: Mapping[str, str]) -> Change:
    def change(node: syntax.Node) -> syntax.Node:
        if isinstance(node, syntax.Satisfies):
            text = translate(node.formula.text, names)
            return replace(node, formula=Span(Source("formula", text), 0, len(text)))
        new: dict[str, Any] = {}
        for field in NAME_FIELDS:
            old = getattr(node, field, None)
            if isinstance(old, str):
                new[field] = names.get(old, old)
        if isinstance(node, syntax.Define) and node.parameters is not None:
            new["parameters"] = tuple(names[name] for name in node.parameters)
        return replace(node, **new)

    return change


def _names(roots: Iterable[syntax.Node]) -> set[str]:
    """All names in a tree but those that the language gives a meaning to."""
    found = set()
    for node in nodes_of(roots):
        found |= {name for field in NAME_FIELDS if isinstance(name := getattr(node, field, None), str)}
        if isinstance(node, syntax.Define):
            found |= {*(node.parameters or ())}
    return found - FIXED


def _bound_names(declaration: syntax.Declaration) -> set[str]:
    """What a declaration itself gives a name to: parameters, indices, local variables, what is received."""
    found = {node.name for node in nodes_of((declaration,)) if isinstance(node, BINDERS)}
    for node in nodes_of((declaration,)):
        if isinstance(node, syntax.Input):
            found |= {pattern.name for pattern in node.patterns if isinstance(pattern, syntax.Name)}
    if isinstance(declaration, syntax.Define):
        found |= {*(declaration.parameters or ())}
    return found


def _only_bound(declarations: Iterable[syntax.Declaration], bound: set[str]) -> set[str]:
    """The bound names that are nowhere the name of something global, or of an event."""
    taken = set()
    for node in nodes_of(declarations):
        match node:
            case syntax.EnumDeclaration(names=names):
                taken |= {item.name for item in names}
            case (
                syntax.Define(name=name)
                | syntax.VariableDeclaration(name=name)
                | syntax.ChannelDeclaration(name=name)
                | syntax.ProcessDefinition(name=name)
                | syntax.Event(name=name)
            ):
                taken.add(name)
    return bound - taken


def _fresh_names(random: Random, used: set[str]) -> Iterator[str]:
    while True:
        length = random.choice([3, 4, 5, 9, 50])
        name = random.choice("abczAZ_") + "".join(random.choices("abyzBZ_059", k=length)) + "q"
        if name not in used:
            used.add(name)
            yield name


# ---------------------------------------------------------------- annotations


def annotated(text: str, random: Random) -> str:
    """A model some of whose events are annotated with fairness. (This may well change verdicts.)"""

    def change(node: syntax.Node) -> syntax.Node:
        if not isinstance(node, syntax.Prefix) or node.event.name == "tau" or random.random() < 0.7:
            return node
        annotation = random.choice(list(Annotation))
        return replace(node, event=replace(node.event, annotation=annotation))

    return specification_text(rebuilt(declarations_of(text), change))


# ---------------------------------------------------------------- order


def reordered(text: str, random: Random) -> Rewritten:
    """Declarations, components, branches, index values and sets of events in another order and grouping."""
    declarations = [rebuilt(node, lambda part: _reorder(part, random)) for node in declarations_of(text)]
    random.shuffle(declarations)
    return Rewritten(specification_text(declarations), {})


def _reorder(node: syntax.Node, random: Random) -> syntax.Node:
    match node:
        case syntax.Parallel(components=components):
            return replace(node, components=_grouped(node, "components", components, random))
        case syntax.Choice(kind=syntax.ChoiceKind.INTERNAL, branches=branches):
            return replace(node, branches=_shuffled(branches, random))  # a group would make one more step
        case syntax.Choice(branches=branches):
            return replace(node, branches=_grouped(node, "branches", branches, random))
        case syntax.IndexedChoice(ranges=ranges) | syntax.IndexedParallel(ranges=ranges):
            return replace(node, ranges=tuple(_shuffled_range(one, random) for one in ranges))
        case syntax.Replication(count=syntax.Integer(value=2 | 3 as count), body=body):
            return syntax.Parallel(node.span, syntax.ParallelKind.INTERLEAVE, (body,) * count)
        case syntax.Hiding(events=events) | syntax.AlphabetDeclaration(events=events):
            return replace(node, events=_shuffled(events, random))
    return node


def _shuffled(parts: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
    return tuple(random.sample(parts, len(parts)))


def _grouped(node: syntax.Node, field: str, parts: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
    """The parts in another order; of three or more, some may become a group of their own."""
    parts = _shuffled(parts, random)
    if len(parts) < 3 or random.random() < 0.5:
        return parts
    cut = random.randrange(2, len(parts))
    changed: dict[str, Any] = {field: parts[:cut]}
    inner = replace(node, **changed)
    return _shuffled((inner, *parts[cut:]), random)


def _shuffled_range(node: syntax.IndexRange, random: Random) -> syntax.IndexRange:
    values = node.values
    match values:
        case (syntax.Interval(first=syntax.Integer(value=low), last=syntax.Integer(value=high)),):
            if high - low > 8:
                return node
            values = tuple(syntax.Integer(node.span, value) for value in range(low, high + 1))
    return replace(node, values=_shuffled(values, random))
