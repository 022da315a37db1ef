"""The edges of a position: the steps its process text can make first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.channels import Channel, Fields, bound_names
from fairlead.lang.csp.elaborate.conversions import converted, never_equal
from fairlead.lang.csp.elaborate.declarations import Declarations, check_event, unsupported
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
from fairlead.lang.csp.elaborate.sizes import MOST_STEPS, stands_for_too_much
from fairlead.lang.csp.places import branch_span, event_span
from fairlead.model.annotation import Annotation
from fairlead.model.expression import (
    FALSE,
    Asserted,
    Binary,
    Constant,
    Expression,
    Operator,
    Received,
    with_received,
)
from fairlead.model.folding import conjunction, negation
from fairlead.model.labels import (
    ChannelAction,
    ChannelTemplate,
    EventTemplate,
    LabelTemplate,
    TauTemplate,
    TerminateTemplate,
)
from fairlead.model.network import Edge, Receive, Send, Target
from fairlead.model.program import Dequeue, Enqueue, Program
from fairlead.model.tree import TERMINATED
from fairlead.model.types import Type


class NotSequential(Exception):
    """The text is a composition of processes, so that its steps are those of a tree, not of a leaf."""


@dataclass(frozen=True)
class _Input:
    """An input that takes messages of one form; `bound` are the names it gives a meaning to."""

    node: syntax.Input
    channel: Channel
    index: Expression
    bound: dict[str, int]
    form: int
    kinds: Fields

    @property
    def is_sent(self) -> bool:
        """Whether such a message is ever sent; if not, its types are a guess."""
        return self.form < len(self.channel.forms)

    def received(self) -> tuple[Expression, ...]:
        """The fields of a message."""
        return tuple(Received(number, kind) for number, kind in enumerate(self.kinds))

    def binding(self, names: Names, message: tuple[Expression, ...]) -> Names:
        """The names after the input."""
        for name, number in self.bound.items():
            names = names.binding(name, message[number])
        return names

    def compared(self) -> list[tuple[int, syntax.Expression]]:
        """The fields that are compared, with what they must be equal to."""
        return [
            (number, pattern)
            for number, pattern in enumerate(self.node.patterns)
            if not (isinstance(pattern, syntax.Name) and self.bound.get(pattern.name) == number)
        ]


@dataclass
class EdgeBuilder:
    """Collects the edges of one position."""

    table: PositionTable
    declarations: Declarations
    edges: list[Edge] = field(default_factory=list)
    _unfolding: list[tuple[int, tuple[tuple[str, Expression], ...]]] = field(default_factory=list)
    #: the branches that lead to what is collected now
    _branches: list[Span] = field(default_factory=list)
    #: which of the edges a call has, by what it stands for, what follows it and its guard
    _collected: dict[tuple[object, ...], range] = field(default_factory=dict)

    def build(self, frames: Frames) -> tuple[Edge, ...]:
        """The edges of the frames of a position."""
        self._collect(frames, None)
        return tuple(self.edges)

    def _collect(self, frames: Frames, guard: Expression | None) -> None:
        """Adds the first steps of the frames, each under the guard."""
        if guard == FALSE:
            return
        tick()
        (first, *others), names = frames, Names(frames[0].environment)
        rest = tuple(others)
        node = first.node
        match node:
            case syntax.Stop():
                pass
            case syntax.Skip():
                self._terminate(rest, guard)
            case syntax.Prefix() | syntax.Output() | syntax.Input():
                with self._through(event_span(node)):
                    self._first_event(node, names, rest, guard)
            case syntax.AssertProcess(condition=condition):
                test = self.table.expressions.condition(condition, names)
                with self._through(condition.span):
                    self._terminate(rest, conjunction(guard, Asserted(test, Type.BOOL, node.span)))
            case syntax.Choice(kind=kind, branches=branches):
                alternatives = [(Frame(branch, first.environment), *rest) for branch in branches]
                self._choice(node, kind, alternatives, guard)
            case syntax.IndexedChoice(kind=kind, ranges=ranges, body=body):
                indexed = self.table.expressions.index_values(ranges, names)
                alternatives = [(Frame(body, inner.environment), *rest) for inner in indexed]
                self._choice(node, kind, alternatives, guard)
            case syntax.Guarded(condition=condition, process=process):
                test = self.table.expressions.condition(condition, names)
                with self._through(condition.span):
                    self._collect((Frame(process, first.environment), *rest), conjunction(guard, test))
            case syntax.Conditional():
                self._conditional(node, names, rest, guard)
            case syntax.Case():
                self._case(node, names, rest, guard)
            case syntax.Sequence(parts=parts):
                self._collect((*(Frame(part, first.environment) for part in parts), *rest), guard)
            case syntax.Call():
                self._call(first, rest, guard)
            case syntax.Parallel() | syntax.IndexedParallel() | syntax.Replication():
                raise NotSequential
            case syntax.Interrupt() | syntax.Hiding() | syntax.Atomic():
                raise NotSequential
            case _:
                raise unsupported(construct_name(node), node.span)

    # ------------------------------------------------------------ one construct each

    @contextmanager
    def _through(self, place: Span) -> Iterator[None]:
        """What is added inside executes a place in the text."""
        self._branches.append(place)
        yield
        self._branches.pop()

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
        synchronises = program is None and not isinstance(label, TauTemplate)
        target = self.table.target(frames)
        self._append(Edge(guard, label, update, synchronises, target, annotation=annotation))

    def _first_event(
        self,
        node: syntax.Prefix | syntax.Output | syntax.Input,
        names: Names,
        rest: Frames,
        guard: Expression | None,
    ) -> None:
        match node:
            case syntax.Prefix():
                self._prefix(node, names, rest, guard)
            case syntax.Output():
                self._output(node, names, rest, guard)
            case syntax.Input():
                self._input(node, names, rest, guard)

    def _append(self, edge: Edge) -> None:
        match edge.guard:
            case Constant(0):
                return
            case Constant():
                edge = replace(edge, guard=None)
        self.edges.append(replace(edge, places=tuple(self._branches)))
        if len(self.edges) > MOST_STEPS:
            raise stands_for_too_much("a choice", MOST_STEPS, "branches", self._branches[0])

    def _choice(
        self,
        node: syntax.Choice | syntax.IndexedChoice,
        kind: syntax.ChoiceKind,
        alternatives: list[Frames],
        guard: Expression | None,
    ) -> None:
        if kind is syntax.ChoiceKind.INTERNAL:
            label = TauTemplate(construct_at("<>", node))
            for frames in alternatives:
                with self._through(frames[0].node.span):
                    self._add(label, frames, guard)
            return
        before = len(self.edges)
        for frames in alternatives:
            with self._through(frames[0].node.span):
                self._collect(frames, guard)
        if kind is syntax.ChoiceKind.EXTERNAL and any(
            isinstance(edge.label, TauTemplate) for edge in self.edges[before:]
        ):
            raise NotSequential  # internal steps leave the choice open

    def _output(self, node: syntax.Output, names: Names, rest: Frames, guard: Expression | None) -> None:
        channel, index = self.table.expressions.channels.resolve(node.channel, names)
        values = tuple(self.table.expressions.elaborate(value, names) for value in node.values)
        form, kinds = channel.form_for(tuple(value.type for value in values))
        values = tuple(
            converted(value, kind, text.span)
            for value, kind, text in zip(values, kinds, node.values, strict=True)
        )
        target = self.table.target((Frame(node.next, names.environment), *rest))
        shown = None if channel.count is None else index
        if channel.queue is None:
            label = ChannelTemplate(channel.name, shown, ChannelAction.HANDSHAKE, values)
            send = Send(channel.rendezvous(index, form), values)
            update = self._program(node.program, names, None)
            self._append(Edge(guard, label, update, False, target, send))
            return
        label = ChannelTemplate(channel.name, shown, ChannelAction.SEND, values)
        length = channel.length(index, node.channel.span)
        room = Binary(Operator.LESS, length, Constant(channel.capacity), Type.BOOL)
        put = Enqueue(channel.queue, index, channel.padded(form, values), node.span)
        update = self._program(node.program, names, put)
        self._append(Edge(conjunction(guard, room), label, update, False, target))

    def _input(self, node: syntax.Input, names: Names, rest: Frames, guard: Expression | None) -> None:
        """Adds an edge for each form of message that the fields of the input can agree with."""
        expressions = self.table.expressions
        channel, index = expressions.channels.resolve(node.channel, names)
        bound = bound_names(node, names, expressions)
        forms = channel.forms_of(len(node.patterns))
        inputs = [_Input(node, channel, index, bound, *form) for form in forms]
        matching = [one for one in inputs if self._can_match(one, names)]
        if not matching and inputs[0].is_sent and not self._varies(node, names):
            matching = inputs[:1]  # it tells why none can match
        for one in matching:
            self._input_form(one, names, rest, guard)

    def _can_match(self, one: _Input, names: Names) -> bool:
        """Whether messages of a form may be equal to what is compared with them."""
        after = one.binding(names, one.received())
        return not any(
            never_equal(self.table.expressions.elaborate(pattern, after).type, one.kinds[number])
            for number, pattern in one.compared()
        )

    def _varies(self, node: syntax.Input, names: Names) -> bool:
        """Whether something that messages are compared with has different types at different times."""
        differing = self.table.expressions.differing
        return any(differing.mentioned(pattern, names.environment, {}) for pattern in node.patterns)

    def _input_form(self, one: _Input, names: Names, rest: Frames, guard: Expression | None) -> None:
        node, channel, index = one.node, one.channel, one.index
        # where the edge leads depends on the message as such, not on where it is kept
        message = one.received()
        after = one.binding(names, message)
        target = self.table.target((Frame(node.next, after.environment), *rest))
        if channel.queue is not None:
            message = channel.first_message(one.kinds, index, node.channel.span)
            arguments = tuple(with_received(argument, message) for argument in target.arguments)
            target = Target(target.position, arguments)
            after = one.binding(names, message)
        accepts = self._accepts(one, message, after)
        shown = None if channel.count is None else index
        if channel.queue is None:
            label = ChannelTemplate(channel.name, shown, ChannelAction.HANDSHAKE, message)
            receive = Receive(channel.rendezvous(index, one.form), len(one.kinds), accepts)
            update = self._program(node.program, after, None)
            self._append(Edge(guard, label, update, False, target, receive))
            return
        if not one.is_sent:
            return
        label = ChannelTemplate(channel.name, shown, ChannelAction.RECEIVE, message)
        length = channel.length(index, node.channel.span)
        some = Binary(Operator.GREATER, length, Constant(0), Type.BOOL)
        enabled = conjunction(guard, some)
        form_sent = channel.sent_form(index, node.channel.span)
        if form_sent is not None:
            same = Binary(Operator.EQUAL, form_sent, Constant(one.form), Type.BOOL)
            enabled = conjunction(enabled, same)
        if accepts is not None:
            enabled = conjunction(enabled, accepts)
        update = self._program(node.program, after, Dequeue(channel.queue, index, node.span))
        self._append(Edge(enabled, label, update, False, target))

    def _accepts(self, one: _Input, message: tuple[Expression, ...], after: Names) -> Expression | None:
        """What must be true of a message: fields that are not new names are compared, then the guard."""
        accepts: Expression | None = None
        for number, pattern in one.compared():
            wanted = self.table.expressions.typed(pattern, after, message[number].type)
            accepts = conjunction(accepts, Binary(Operator.EQUAL, message[number], wanted, Type.BOOL))
        if one.node.guard is not None:
            accepts = conjunction(accepts, self.table.expressions.condition(one.node.guard, after))
        return accepts

    def _program(self, program: syntax.Block | None, names: Names, first: Program | None) -> Program | None:
        if program is None:
            return first
        return elaborate_program(self.table.expressions, program, names, first)

    def _terminate(self, rest: Frames, guard: Expression | None) -> None:
        if rest:  # Skip; Q inside a choice: the end of the first part is an internal step
            self._add(TauTemplate(construct_at(";", rest[0].node)), rest, guard)
        else:
            self._append(Edge(guard, TerminateTemplate(), None, True, Target(TERMINATED.position)))

    def _prefix(self, node: syntax.Prefix, names: Names, rest: Frames, guard: Expression | None) -> None:
        event = node.event
        annotation = event.annotation
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
            check_event(event, self.declarations)
            arguments = tuple(
                self.table.expressions.elaborate(argument, names) for argument in event.arguments
            )
            label = EventTemplate(event.name, arguments)
        following = (Frame(node.next, names.environment), *rest)
        self._add(label, following, guard, node.program, names, annotation)

    def _conditional(
        self, node: syntax.Conditional, names: Names, rest: Frames, guard: Expression | None
    ) -> None:
        test = self.table.expressions.condition(node.condition, names)
        then: Frames = (Frame(node.then, names.environment), *rest)
        otherwise_node = node.otherwise or syntax.Skip(node.span)
        otherwise: Frames = (Frame(otherwise_node, names.environment), *rest)
        when_true, when_false = conjunction(guard, test), conjunction(guard, negation(test))
        if_true, if_false = node.then.span, branch_span(node, node.otherwise)
        if node.kind is syntax.ConditionalKind.IFA:
            with self._through(if_true):
                self._collect(then, when_true)
            with self._through(if_false):
                self._collect(otherwise, when_false)
            return
        text = f"{node.kind.value}({shorten(node.condition.span, 40)})"
        label = TauTemplate(construct_at(text, node))
        self._internal(label, then, when_true, if_true)
        if node.kind is syntax.ConditionalKind.IF:
            self._internal(label, otherwise, when_false, if_false)

    def _internal(self, label: TauTemplate, frames: Frames, guard: Expression, branch: Span) -> None:
        if guard != FALSE:  # what it leads to need not make sense
            with self._through(branch):
                self._add(label, frames, guard)

    def _case(self, node: syntax.Case, names: Names, rest: Frames, guard: Expression | None) -> None:
        label = TauTemplate(construct_at("case", node))
        none_before: Expression | None = guard
        for branch in node.branches:
            test = self.table.expressions.condition(branch.condition, names)
            frames = (Frame(branch.process, names.environment), *rest)
            self._internal(label, frames, conjunction(none_before, test), branch.process.span)
            none_before = conjunction(none_before, negation(test))
        default = node.default or syntax.Skip(node.span)
        assert none_before is not None
        frames = (Frame(default, names.environment), *rest)
        self._internal(label, frames, none_before, branch_span(node, node.default))

    def _call(self, frame: Frame, rest: Frames, guard: Expression | None) -> None:
        body = self.table.unfold(frame)
        key = (id(body.node), tuple(body.environment.items()))
        if key in self._unfolding or len(self._unfolding) > UNFOLDING_LIMIT:
            raise unguarded(frame.node)
        following = tuple((id(later.node), tuple(later.environment.items())) for later in rest)
        collected = (key, following, guard)
        known = self._collected.get(collected)
        if known is not None and self._share(known):
            return
        before = len(self.edges)
        self._unfolding.append(key)
        self._collect((body, *rest), guard)
        self._unfolding.pop()
        self._collected[collected] = range(before, len(self.edges))

    def _share(self, numbers: range) -> bool:
        """Whether edges of an equal call serve here as well, and are not written down a second time.

        Without this, forty definitions such as `P = Q [] Q` would have 2^40 edges, all of them equal.
        """
        if any(isinstance(self.edges[number].label, TauTemplate) for number in numbers):
            return False  # whether a choice is left open is seen from the edges added in it
        for number in numbers:
            edge = self.edges[number]
            self.edges[number] = replace(edge, places=tuple(dict.fromkeys((*self._branches, *edge.places))))
        return True


def construct_at(text: str, node: syntax.Node) -> str:
    """What makes an internal step, distinguished from its like by its place in the text."""
    return f"{text} {node.span.line}:{node.span.column}"


def construct_name(node: syntax.Process) -> str:
    """What users call a construct that is refused."""
    match node:
        case syntax.CompoundPrefix():
            return "a list of events before '->'"
    return type(node).__name__
