"""Represents a loaded Promela model: what it asks, and its system."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from fairlead.base.diagnostics import Code, Diagnostic, InputError, Severity, input_error, nearest
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import formula_hint, no_annotations, unknown_process
from fairlead.lang.promela import syntax
from fairlead.lang.promela.elaborate.building import Elaborated, elaborated, problems_in
from fairlead.lang.promela.elaborate.control import statements_in
from fairlead.lang.promela.elaborate.expressions import Expressions
from fairlead.lang.promela.elaborate.world import SYSTEM, inside
from fairlead.lang.promela.formulas import Formulas, is_temporal
from fairlead.lang.promela.parse import Parser
from fairlead.lang.promela.vocabulary import PromelaVocabulary
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    SIMPLE_QUESTIONS,
    Assertion,
    FormulaText,
    Meaning,
    ProcessAtom,
    Reaches,
    Safe,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.coverable import CoverablePlace, Definition, PlaceKind, in_order
from fairlead.model.network import Network
from fairlead.model.system import Proposition

_SIMPLE: Mapping[str, type[Assertion]] = {"safety": Safe, **SIMPLE_QUESTIONS}
_QUESTION = re.compile(
    rf"\s*(?:(?:{SYSTEM})\s+)?(?:"
    rf"(?P<simple>{'|'.join(_SIMPLE)})\s*;?\s*"
    r"|reaches\s+(?P<goal>.+)"
    r"|ltl\s+(?P<named>\w+)\s*;?\s*"
    r"|\|=(?P<formula>.*))",
    re.DOTALL,
)
#: what can be done about a property that is not checked
_AS_LTL = "write the property as an ltl block"
#: the property that every cycle makes progress, and that none is accepting
PROGRESS, ACCEPTANCE = "progress", "acceptance"


class PromelaModel:
    """A model in Promela; it is elaborated when something is asked about it."""

    #: SPIN assumes none unless it is asked to
    default_fairness = "none"

    def __init__(self, source: Source, definitions: Mapping[str, str]) -> None:
        self._parser = Parser(source, definitions)
        self._specification = self._parser.specification()
        self._source = source
        self._elaborated: dict[bool, Elaborated] = {}
        self.warnings: list[Diagnostic] = []
        self._refuse(self._specification)

    def _refuse(self, specification: syntax.Specification) -> None:
        """Constructs that are read, and whose meaning is not supported yet."""
        problems: list[Diagnostic] = []
        for claim in specification.claims:
            message = "this never claim is not checked: the questions about this model are asked without it"
            self._warn(message, claim.span, _AS_LTL)
        for trace in specification.traces:
            message = f"this event trace ('{trace.name}') is not checked"
            self._warn(message, trace.span, _AS_LTL)
        for proctype in specification.proctypes:
            if proctype.is_deterministic:
                message = "'D_proctype' is taken for 'proctype'"
                self._warn(message, proctype.span)
        if not any(one.active for one in specification.proctypes):
            message = "no process is active: there is neither 'init' nor an active proctype"
            span = self._source.span(0, min(1, len(self._source.text)))
            problems.append(Diagnostic(Code.SYNTAX, message, span))
        for one in specification.properties:
            try:
                Formulas(None).text(one.formula)
            except InputError as error:
                problems += error.diagnostics
        if problems:
            raise InputError(tuple(problems))
        wrong = problems_in(self.elaborated(False))
        if wrong:
            raise InputError(wrong)

    def _warn(self, message: str, span: Span | None, hint: str | None = None) -> None:
        self.warnings.append(Diagnostic(Code.UNSUPPORTED, message, span, hint, severity=Severity.WARNING))

    # ------------------------------------------------------------ systems

    def elaborated(self, points: bool) -> Elaborated:
        """The system; with `points`, it can be asked where processes are."""
        if points not in self._elaborated:
            self._elaborated[points] = elaborated(self._specification, points=points)
        return self._elaborated[points]

    def system(self, process: str | None) -> Network:
        """The system of the whole model."""
        self.process_name(process)
        return self.elaborated(False).network

    def presented(self, process: str | None) -> Network:
        """The same: nothing is hidden."""
        return self.system(process)

    def specification(self, name: str) -> Network:
        """A model has only one system."""
        return self.system(name)

    def reduced(
        self,
        process: str | None,
        visible: frozenset[str] | None,
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Network | None:
        """Processes share variables, so that they cannot be taken by themselves."""
        return None

    def process_name(self, process: str | None) -> str:
        """The whole model is one process, `system`."""
        if process is None or process.strip() == SYSTEM:
            return SYSTEM
        raise unknown_process(process.strip(), None, f"a Promela model is asked about as a whole: '{SYSTEM}'")

    def coverable(self, processes: Sequence[str]) -> tuple[Definition, ...]:
        """The statements of each proctype."""
        found = []
        world = self.elaborated(False).world
        for control in world.controls.values():
            span = control.proctype.span
            places = [
                CoverablePlace(PlaceKind.STATEMENT, move.span)
                for point in control.points
                for move in point.moves
                if move.span.source is span.source
            ]
            found.append(Definition(control.proctype.name, span, in_order(places)))
        return tuple(found)

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """Promela has no annotations."""
        raise no_annotations("Promela")

    def with_all_problems(self, error: InputError) -> InputError:
        """The error itself: a text is read as a whole."""
        return error

    # ------------------------------------------------------------ questions

    @property
    def assertions(self) -> Sequence[Assertion]:
        """Invalid end states and assertions; progress, if there are labels for it; the ltl blocks."""
        return self.asked_of(SYSTEM)

    def asked_of(self, process: str) -> list[Assertion]:
        """The same, of the only process."""
        found: list[Assertion] = [Safe(SYSTEM, f"{SYSTEM} safety")]
        if self._has_labels(PROGRESS):
            found.append(self._progress())
        if self._has_labels("accept"):
            found.append(self._acceptance())
        found += [self._property(one) for one in self._specification.properties]
        return found

    def _has_labels(self, prefix: str) -> bool:
        return any(
            label.name.startswith(prefix)
            for proctype in self._specification.proctypes
            for statement in statements_in(proctype.body)
            for label in statement.labels
        )

    def _progress(self) -> Satisfies:
        """No cycle without progress, as `-DNP` has it: an execution that ends is not a cycle."""
        return self._about_labels(PROGRESS, '[] <> "progress" || <> [] ! "a step"', "progress")

    def _acceptance(self) -> Satisfies:
        """No acceptance cycle, as `-a` has it."""
        return self._about_labels(ACCEPTANCE, '! [] <> "accept"', "accept")

    def _about_labels(self, name: str, text: str, prefix: str) -> Satisfies:
        found = self.elaborated(True)
        meaning = Expressions(found.world).at_some_label(prefix)
        source = Source(name, text)
        formula = FormulaText(source, 0, len(text))
        everybody = ProcessAtom(frozenset(member.name for member in found.world.members))
        meanings: dict[str, Meaning] = {prefix: Proposition(prefix, meaning), "a step": everybody}
        return Satisfies(SYSTEM, f"{SYSTEM} |= {name}", formula, found.network, meanings, name)

    def _property(self, one: syntax.LtlProperty) -> Satisfies:
        return self._satisfies(one.name, one.formula, one.name, one.span)

    def _satisfies(
        self, shown: str, formula: syntax.Expression, name: str | None, span: Span | None = None
    ) -> Satisfies:
        found = self.elaborated(_looks_at_points(formula))
        writer = Formulas(Expressions(found.world))
        text = writer.text(formula)
        source = Source("formula" if name is None else f"ltl {name}", text)
        asked = f"{SYSTEM} |= {shown}"
        whole = FormulaText(source, 0, len(text))
        return Satisfies(SYSTEM, asked, whole, found.network, writer.meanings, name, span=span)

    def assertion(self, text: str) -> Assertion:
        """`safety`, `deadlockfree`, `reaches p`, `ltl name` or `|= formula`; or the name of an ltl block."""
        match = _QUESTION.fullmatch(text)
        named = {one.name: one for one in self._specification.properties}
        if match is None:
            name = text.strip()
            if name in named:
                return self._property(named[name])
            span = Source("assertion", text).span(0, len(text))
            expected = "'safety', 'deadlockfree', 'reaches p', 'ltl name' or '|= formula'"
            hint = formula_hint(text) or nearest(name, named)
            raise input_error(Code.SYNTAX, f"expected {expected}", span, hint)
        if match["simple"]:
            return _SIMPLE[match["simple"]](SYSTEM, f"{SYSTEM} {match['simple']}")
        if match["goal"]:
            return self._reaches(match["goal"].strip().rstrip(";").strip())
        if match["named"]:
            return self._named(match["named"], named)
        written = match["formula"].strip()
        if written in named:
            return self._property(named[written])
        if written == PROGRESS and self._has_labels(PROGRESS):
            return self._progress()
        if written == ACCEPTANCE and self._has_labels("accept"):
            return self._acceptance()
        return self.formula(written, SYSTEM)

    def _named(self, name: str, named: Mapping[str, syntax.LtlProperty]) -> Satisfies:
        if name not in named:
            message = f"there is no property '{name}'"
            raise input_error(Code.UNKNOWN_NAME, message, hint=nearest(name, named))
        return self._property(named[name])

    def _reaches(self, goal: str) -> Reaches:
        expression = self._parser.formula(Source("assertion", goal))
        found = self.elaborated(False)
        if _looks_at_points(expression):
            message = "'reaches' cannot ask where processes are"
            hint = "ask for the opposite as a formula: |= [] !(P@label)"
            raise input_error(Code.UNSUPPORTED, message, expression.span, hint)
        meaning = Expressions(found.world).condition(expression)
        return Reaches(SYSTEM, f"{SYSTEM} reaches {goal}", Proposition(goal, meaning))

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A formula as in an ltl block; names of steps, and `executed(…)`, make it one of fairlead's own."""
        self.process_name(process)
        shown = " ".join(text.split())
        source = Source("formula", text)
        try:
            expression = self._parser.formula(source)
        except InputError:
            return Satisfies(SYSTEM, f"{SYSTEM} |= {shown}", FormulaText(source, 0, len(text)))
        found = self._satisfies(shown, expression, None)
        if not is_temporal(expression) and '"' not in found.formula.text:
            return Satisfies(SYSTEM, f"{SYSTEM} |= {shown}", FormulaText(source, 0, len(text)))
        return found

    def branching(self, text: str, process: str | None, finite_paths: bool) -> SatisfiesBranching:
        """A formula of CTL or CTL*; its atoms are expressions of Promela."""
        self.process_name(process)
        formula = FormulaText(Source("formula", text), 0, len(text))
        own = self.elaborated("@" in text or "np_" in text).network
        shown = f"{SYSTEM} |= {' '.join(text.split())}"
        return SatisfiesBranching(SYSTEM, shown, formula, finite_paths, own)

    def vocabulary(self, question: Assertion, texts: Sequence[str] = ()) -> PromelaVocabulary:
        """The names of the model; where they ask for labels, the system knows where processes are."""
        own = question.own_system
        found = self.elaborated(False)
        if (own is not None and own is not found.network) or (
            own is None and any("@" in text for text in texts)
        ):
            found = self.elaborated(True)
        return PromelaVocabulary(self._parser, found)

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        """There are none with names of their own."""
        return {}


def _looks_at_points(formula: syntax.Expression) -> bool:
    """Whether a formula asks where processes are."""
    return any(
        isinstance(one, syntax.AtLabel)
        or (isinstance(one, syntax.SpecialName) and one.which is syntax.Special.NON_PROGRESS)
        for one in inside([formula])
    )
