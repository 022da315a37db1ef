"""Fairness formulas, and the conditions that they are for the processes and events of a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.logic import ltl
from fairlead.logic.fairness.condition import (
    ALWAYS,
    NEVER,
    AlmostAlways,
    Condition,
    InfinitelyOften,
    conjunction,
    disjunction,
    is_always,
)
from fairlead.logic.ltl import (
    FALSE,
    TRUE,
    Always,
    And,
    Atom,
    AtomKind,
    Constant,
    Domain,
    Eventually,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    fold,
)
from fairlead.logic.normal_form import NormalForms
from fairlead.model.assertion import Enabled, EventAtom, Meaning, ProcessAtom, StepAtom


@dataclass(frozen=True)
class Conjunct:
    """One of the things that a fairness formula demands, of one system."""

    text: str
    condition: Condition
    meanings: Mapping[Atom, Meaning] = field(hash=False)  # of the atoms in which a variable had stood


@dataclass(frozen=True)
class FairnessFormula:
    """A boolean combination of `GF p` and `FG p`, perhaps with variables for processes and events.

    The formula has temporal operators nowhere else; `fairness_syntax` makes sure of that.
    """

    text: str
    formula: Formula

    @property
    def is_closed(self) -> bool:
        """Whether it is the same for every system, with no variables for its processes or events."""
        return not any(isinstance(node, Quantified) for node in ltl.subformulas(self.formula))

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The distinct atoms that the model has to explain: those in which no variable stands."""
        found: dict[Atom, None] = {}
        stack: list[tuple[Formula, dict[str, Domain]]] = [(self.formula, {})]
        while stack:
            node, bound = stack.pop()
            if isinstance(node, Atom) and bound_by(node, bound) is None:
                found.setdefault(node)
            if isinstance(node, Quantified):
                bound = {**bound, node.variable: node.domain}
            stack += ((child, bound) for child in reversed(ltl.children(node)))
        return tuple(found)

    def conjuncts(self, processes: Sequence[str], events: Sequence[str]) -> tuple[Conjunct, ...]:
        """What is demanded of a system with these processes and events; nothing twice, nothing trivial."""
        expansion = _Expansion({Domain.PROCESSES: processes, Domain.EVENTS: events})
        conditions = _Conditions()
        found: dict[Formula, Conjunct | None] = {}
        stack = [self.formula]
        while stack:
            node = stack.pop()
            match node:
                case And(left, right):
                    stack += (right, left)
                case Quantified(operator=operator) if operator is And:
                    stack += reversed(expansion.instances(node))
                case _ if node not in found:
                    expanded = expansion.expanded(node)
                    condition = conditions.condition(expanded)
                    meanings = expansion.meanings_in(expanded)
                    conjunct = Conjunct(expansion.text(node), condition, meanings)
                    found[node] = None if is_always(condition) else conjunct
        return tuple(conjunct for conjunct in found.values() if conjunct is not None)


def weak(subject: str, span: Span | None = None) -> Formula:
    """`weak(x)`: if x is eventually always enabled, it is executed infinitely often."""
    enabled, executed = (Atom(subject, kind, span) for kind in (AtomKind.ENABLED, AtomKind.EXECUTED))
    return Implies(Eventually(Always(enabled)), Always(Eventually(executed)))


def strong(subject: str, span: Span | None = None) -> Formula:
    """`strong(x)`: if x is enabled infinitely often, it is executed infinitely often."""
    enabled, executed = (Atom(subject, kind, span) for kind in (AtomKind.ENABLED, AtomKind.EXECUTED))
    return Implies(Always(Eventually(enabled)), Always(Eventually(executed)))


#: `impartial`: every process is executed infinitely often
IMPARTIAL = FairnessFormula(
    "impartial",
    Quantified(And, Domain.PROCESSES, "p", Always(Eventually(Atom("p", AtomKind.EXECUTED)))),
)


def bound_by(atom: Atom, bound: Mapping[str, Domain]) -> Domain | None:
    """What the variable in an atom stands for: in `enabled(x)`, in `executed(x)`, or x alone for an event."""
    if atom.kind in (AtomKind.ENABLED, AtomKind.EXECUTED):
        return bound.get(atom.text)
    if atom.kind is AtomKind.NAME and bound.get(atom.text) is Domain.EVENTS:
        return Domain.EVENTS
    return None


class _Expansion:
    """Formulas with the names of a system in the place of variables.

    An atom made so has the text `process P1` or `event a`: a process and an event of the same name remain
    two, and no variable of an inner quantifier can be mistaken for either.
    """

    def __init__(self, names: Mapping[Domain, Sequence[str]]) -> None:
        self._names = names
        self._meanings: dict[Atom, Meaning] = {}
        self._plain_names: dict[Atom, str] = {}
        self._known: dict[Formula, Formula] = {}

    def instances(self, quantified: Quantified) -> list[Formula]:
        """The formula for each process, or for each event."""
        return [
            self._instance(quantified.operand, quantified, name) for name in self._names[quantified.domain]
        ]

    def expanded(self, formula: Formula) -> Formula:
        """The formula without quantifiers."""
        return fold(self._known, formula, self._expanded_node)

    def _expanded_node(self, node: Formula, parts: list[Formula]) -> Formula:
        if isinstance(node, Quantified):
            names = self._names[node.domain]
            return ltl.chain(node.operator, [self._instance(parts[0], node, name) for name in names])
        return _rebuilt(node, parts)

    def _instance(self, formula: Formula, quantified: Quantified, name: str) -> Formula:
        bound = {quantified.variable: quantified.domain}

        def with_name(node: Formula, parts: list[Formula]) -> Formula:
            if isinstance(node, Atom) and bound_by(node, bound) is not None:
                return self._atom(node.kind, quantified.domain, name)
            return _rebuilt(node, parts) if parts else node

        def parts_of(node: Formula) -> Iterable[Formula]:
            hidden = isinstance(node, Quantified) and node.variable == quantified.variable
            return () if hidden else ltl.children(node)

        known: dict[Formula, Formula] = {}
        return fold(known, formula, with_name, parts_of)

    def _atom(self, kind: AtomKind, domain: Domain, name: str) -> Atom:
        is_enabled = kind is AtomKind.ENABLED
        atom = Atom(f"{domain.value} {name}", AtomKind.ENABLED if is_enabled else AtomKind.EXECUTED)
        subject: StepAtom = (
            ProcessAtom(frozenset({name})) if domain is Domain.PROCESSES else EventAtom.of(name)
        )
        self._meanings[atom] = Enabled(subject) if is_enabled else subject
        self._plain_names[atom] = name
        return atom

    def meanings_in(self, formula: Formula) -> dict[Atom, Meaning]:
        """What those atoms of a formula mean that were made here."""
        return {atom: self._meanings[atom] for atom in ltl.atoms(formula) if atom in self._meanings}

    def text(self, formula: Formula) -> str:
        """The formula for messages, with plain names and `weak` and `strong`."""
        known: dict[Formula, Formula] = {}
        return ltl.in_letters(fold(known, formula, self._shown_node))

    def _shown_node(self, node: Formula, parts: list[Formula]) -> Formula:
        if isinstance(node, Atom):
            return Atom(self._plain_names.get(node, node.text), node.kind)
        shown = _rebuilt(node, parts)
        match shown:
            case Implies(
                Eventually(Always(Atom(enabled, AtomKind.ENABLED))),
                Always(Eventually(Atom(executed, AtomKind.EXECUTED))),
            ) if enabled == executed:
                return Atom(f"weak({executed})")
            case Implies(
                Always(Eventually(Atom(enabled, AtomKind.ENABLED))),
                Always(Eventually(Atom(executed, AtomKind.EXECUTED))),
            ) if enabled == executed:
                return Atom(f"strong({executed})")
        return shown


def _rebuilt(node: Formula, parts: list[Formula]) -> Formula:
    """The formula with other parts."""
    match node:
        case Quantified():
            return Quantified(node.operator, node.domain, node.variable, parts[0])
        case ltl.Unary():
            return type(node)(parts[0])
        case ltl.Binary():
            return type(node)(parts[0], parts[1])
    return node


class _Conditions:
    """Conditions of formulas without quantifiers, with those of their negations; each computed once."""

    def __init__(self) -> None:
        self._known: dict[Formula, tuple[Condition, Condition]] = {}
        self._propositional: dict[Formula, bool] = {}
        self._normal_forms = NormalForms()

    def condition(self, formula: Formula) -> Condition:
        """The formula as a condition, with negations only in its predicates."""
        return fold(self._known, formula, self._both, self._parts)[0]

    def _is_propositional(self, formula: Formula) -> bool:
        return fold(
            self._propositional,
            formula,
            lambda node, parts: not isinstance(node, Always | Eventually) and all(parts),
        )

    def _parts(self, node: Formula) -> Iterable[Formula]:
        if self._is_propositional(node):
            return ()
        match node:
            case Always() | Eventually():
                core, _ = _core(node)
                return () if self._is_propositional(core) else (core,)
            case And() | Or():
                return ltl.operands(node, type(node))
        return ltl.children(node)

    def _both(self, node: Formula, parts: list[tuple[Condition, Condition]]) -> tuple[Condition, Condition]:
        """The condition of a formula and that of its negation."""
        positive, negative = [part[0] for part in parts], [part[1] for part in parts]
        match node:
            case Always() | Eventually():
                return parts[0] if parts else self._of_predicate(*_core(node))
            case Not() if parts:
                return negative[0], positive[0]
            case And() if parts:
                return conjunction(positive), disjunction(negative)
            case Or() if parts:
                return disjunction(positive), conjunction(negative)
            case Implies() if parts:
                return disjunction((negative[0], positive[1])), conjunction((positive[0], negative[1]))
            case Iff() if parts:
                agree = disjunction((conjunction(positive), conjunction(negative)))
                first, second = (positive[0], negative[1]), (negative[0], positive[1])
                return agree, disjunction((conjunction(first), conjunction(second)))
        # nothing but constants remains
        return (ALWAYS, NEVER) if self._predicate(node) == TRUE else (NEVER, ALWAYS)

    def _of_predicate(
        self, core: Formula, innermost: type[Always] | type[Eventually]
    ) -> tuple[Condition, Condition]:
        predicate, negated = self._predicate(core), self._predicate(Not(core))
        if isinstance(predicate, Constant):
            return (ALWAYS, NEVER) if predicate.value else (NEVER, ALWAYS)
        if innermost is Eventually:
            return InfinitelyOften(predicate), AlmostAlways(negated)
        return AlmostAlways(predicate), InfinitelyOften(negated)

    def _predicate(self, formula: Formula) -> Formula:
        """A propositional formula in negation normal form, without constants unless it is one."""
        known: dict[Formula, Formula] = {}
        return fold(known, self._normal_forms.normal(formula), _without_constants)


def _core(node: Formula) -> tuple[Formula, type[Always] | type[Eventually]]:
    """What stands below a chain of G and F, and the last of them: as `F G F p` is `GF p`, no other counts."""
    innermost: type[Always] | type[Eventually] = Always
    while isinstance(node, Always | Eventually):
        innermost, node = type(node), node.operand
    return node, innermost


def _without_constants(node: Formula, parts: list[Formula]) -> Formula:
    if isinstance(node, And | Or):
        decisive, neutral = (FALSE, TRUE) if isinstance(node, And) else (TRUE, FALSE)
        if decisive in parts:
            return decisive
        return ltl.chain(type(node), [part for part in parts if part != neutral])
    return node
