"""The edges of a position: the steps its process text can make first."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairlead.errors import Code, input_error
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.declarations import RESERVED_EVENTS, Declarations, unsupported
from fairlead.lang.csp.elaborate.expressions import Names
from fairlead.lang.csp.elaborate.positions import (
    UNFOLDING_LIMIT,
    Frame,
    Frames,
    PositionTable,
    shorten,
    unguarded,
)
from fairlead.lang.csp.elaborate.programs import elaborate_program
from fairlead.model.annotation import Annotation
from fairlead.model.expression import Constant, Expression, conjunction, negation
from fairlead.model.network import (
    TERMINATED,
    Edge,
    EventTemplate,
    LabelTemplate,
    Target,
    TauTemplate,
    TerminateTemplate,
)


class NotSequential(Exception):
    """The text is a composition of processes, so that its steps are those of a tree, not of a leaf."""


@dataclass
class EdgeBuilder:
    """Collects the edges of one position."""

    table: PositionTable
    declarations: Declarations
    edges: list[Edge] = field(default_factory=list)
    _unfolding: list[tuple[int, tuple[tuple[str, Expression], ...]]] = field(default_factory=list)

    def build(self, frames: Frames) -> tuple[Edge, ...]:
        """The edges of the frames of a position."""
        self._collect(frames, None)
        return tuple(self.edges)

    def _collect(self, frames: Frames, guard: Expression | None) -> None:
        """Adds the first steps of the frames, each under the guard."""
        if isinstance(guard, Constant) and not guard.value:
            return
        (first, *others), names = frames, Names(frames[0].environment)
        rest = tuple(others)
        node = first.node
        match node:
            case syntax.Stop():
                pass
            case syntax.Skip():
                self._terminate(rest, guard)
            case syntax.Prefix():
                self._prefix(node, names, rest, guard)
            case syntax.Choice(kind=syntax.ChoiceKind.GENERAL, branches=branches):
                for branch in branches:
                    self._collect((Frame(branch, first.environment), *rest), guard)
            case syntax.IndexedChoice(kind=syntax.ChoiceKind.GENERAL, ranges=ranges, body=body):
                for inner in self.table.expressions.index_values(ranges, names):
                    self._collect((Frame(body, inner.environment), *rest), guard)
            case syntax.Guarded(condition=condition, process=process):
                test = self.table.expressions.condition(condition, names)
                self._collect((Frame(process, first.environment), *rest), conjunction(guard, test))
            case syntax.Conditional():
                self._conditional(node, names, rest, guard)
            case syntax.Case():
                self._case(node, names, rest, guard)
            case syntax.Sequence(parts=parts):
                self._collect((*(Frame(part, first.environment) for part in parts), *rest), guard)
            case syntax.Call():
                self._call(first, rest, guard)
            case syntax.Parallel() | syntax.IndexedParallel():
                raise NotSequential
            case syntax.Replication(count=count) if count is not None:
                raise NotSequential
            case _:
                raise unsupported(construct_name(node), node.span)

    # ------------------------------------------------------------ one construct each

    def _add(
        self,
        label: LabelTemplate,
        frames: Frames,
        guard: Expression | None,
        program: syntax.Block | None = None,
        names: Names | None = None,
        annotation: Annotation | None = None,
    ) -> None:
        update = None
        if program is not None:
            assert names is not None
            update = elaborate_program(self.table.expressions, program, names)
        if isinstance(guard, Constant) and guard.value:
            guard = None
        synchronises = program is None and not isinstance(label, TauTemplate)
        target = self.table.target(frames)
        self.edges.append(Edge(guard, label, update, synchronises, target, annotation))

    def _terminate(self, rest: Frames, guard: Expression | None) -> None:
        if rest:  # Skip; Q inside a choice: the end of the first part is an internal step
            self._add(TauTemplate(construct_at(";", rest[0].node)), rest, guard)
        else:
            target = Target(TERMINATED.position)
            self.edges.append(Edge(guard, TerminateTemplate(), None, True, target))

    def _prefix(self, node: syntax.Prefix, names: Names, rest: Frames, guard: Expression | None) -> None:
        event = node.event
        annotation = None if event.annotation is None else Annotation(event.annotation.value)
        label: LabelTemplate
        if event.name == "tau":
            if annotation is not None:
                raise input_error(
                    Code.SYNTAX,
                    "an internal step cannot be annotated: it has no name to be fair to",
                    event.span,
                    "give it a name, or use fairness towards all events (--fairness ewf or esf)",
                )
            text = shorten(node.program.span if node.program else event.span, 40)
            label = TauTemplate(construct_at(text, node))
        else:
            self._check_event(event)
            arguments = tuple(
                self.table.expressions.elaborate(argument, names) for argument in event.arguments
            )
            label = EventTemplate(event.name, arguments)
        following = (Frame(node.next, names.environment), *rest)
        self._add(label, following, guard, node.program, names, annotation)

    def _check_event(self, event: syntax.Event) -> None:
        if event.name in RESERVED_EVENTS:
            raise input_error(Code.NAME_CLASH, f"'{event.name}' cannot be used as an event", event.span)
        if event.name in self.declarations.places:
            raise input_error(
                Code.NAME_CLASH,
                f"'{event.name}' is declared, so it cannot be an event as well",
                event.span,
            )

    def _conditional(
        self, node: syntax.Conditional, names: Names, rest: Frames, guard: Expression | None
    ) -> None:
        test = self.table.expressions.condition(node.condition, names)
        then: Frames = (Frame(node.then, names.environment), *rest)
        otherwise_node = node.otherwise or syntax.Skip(node.span)
        otherwise: Frames = (Frame(otherwise_node, names.environment), *rest)
        when_true, when_false = conjunction(guard, test), conjunction(guard, negation(test))
        if node.kind is syntax.ConditionalKind.IFA:
            self._collect(then, when_true)
            self._collect(otherwise, when_false)
            return
        text = f"{node.kind.value}({shorten(node.condition.span, 40)})"
        label = TauTemplate(construct_at(text, node))
        self._internal(label, then, when_true)
        if node.kind is syntax.ConditionalKind.IF:
            self._internal(label, otherwise, when_false)

    def _internal(self, label: TauTemplate, frames: Frames, guard: Expression) -> None:
        if not (isinstance(guard, Constant) and not guard.value):
            self._add(label, frames, guard)

    def _case(self, node: syntax.Case, names: Names, rest: Frames, guard: Expression | None) -> None:
        label = TauTemplate(construct_at("case", node))
        none_before: Expression | None = guard
        for branch in node.branches:
            test = self.table.expressions.condition(branch.condition, names)
            frames = (Frame(branch.process, names.environment), *rest)
            self._internal(label, frames, conjunction(none_before, test))
            none_before = conjunction(none_before, negation(test))
        default = node.default or syntax.Skip(node.span)
        assert none_before is not None
        self._internal(label, (Frame(default, names.environment), *rest), none_before)

    def _call(self, frame: Frame, rest: Frames, guard: Expression | None) -> None:
        body = self.table.unfold(frame)
        key = (id(body.node), tuple(body.environment.items()))
        if key in self._unfolding or len(self._unfolding) > UNFOLDING_LIMIT:
            raise unguarded(frame.node)
        self._unfolding.append(key)
        self._collect((body, *rest), guard)
        self._unfolding.pop()


def construct_at(text: str, node: syntax.Node) -> str:
    """What makes an internal step, told apart from its like by its place in the text."""
    return f"{text} {node.span.line}:{node.span.column}"


def construct_name(node: syntax.Process) -> str:
    """What users call a construct."""
    match node:
        case syntax.Choice(kind=kind) | syntax.IndexedChoice(kind=kind):
            return f"the choice '{kind.value}'"
        case syntax.Output() | syntax.Input():
            return "channels"
        case syntax.Hiding():
            return "hiding"
        case syntax.Interrupt():
            return "interrupt"
        case syntax.Atomic():
            return "atomic"
        case syntax.AssertProcess():
            return "assert(…) as a process"
        case syntax.CompoundPrefix():
            return "a list of events before '->'"
        case syntax.Replication():
            return "unboundedly many processes '|||{..}'"
    return type(node).__name__
