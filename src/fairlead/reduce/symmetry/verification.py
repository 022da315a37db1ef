"""Whether two numbers can be exchanged: every step of every process must become a step of its image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from fairlead.base.records import dataclass
from fairlead.model.evaluation import Scope
from fairlead.model.expression import Constant, Expression
from fairlead.model.labels import ChannelTemplate, EventTemplate, event_text, label_text
from fairlead.model.network import Receive, Send
from fairlead.model.tree import LocalState
from fairlead.reduce.counters.automata import LocalStep, SymbolicState
from fairlead.reduce.symmetry.exchanging import Exchange, NotSymmetric, Numbering
from fairlead.reduce.symmetry.forms import Form, Forms
from fairlead.reduce.symmetry.kinds import where_of
from fairlead.reduce.symmetry.processes import Processes
from fairlead.reduce.symmetry.safety import Bounds


@dataclass(frozen=True)
class Asked:
    """What a question looks at: sets of labels, sets of processes, expressions over shared variables."""

    labels: tuple[frozenset[str], ...] = ()
    processes: tuple[frozenset[str], ...] = ()
    expressions: tuple[Expression, ...] = ()


class Verifier:
    """Verifies exchanges for one question about one network."""

    def __init__(self, processes: Processes, numbering: Numbering, asked: Asked) -> None:
        self._processes = processes
        self._numbering = numbering
        self._asked = asked
        self._bounds = Bounds(processes.network)
        self._plain: dict[SymbolicState, frozenset[Form]] = {}

    def verify(self, exchange: Exchange) -> None:
        """Raises `NotSymmetric` unless the exchange carries steps over to steps, and is not seen."""
        to = self._leaf_exchange(exchange)
        for slot in range(self._processes.network.slots):
            self._numbering.slot(slot, exchange)
        self._verify_question(exchange, to)
        if self._processes.tree.alphabets is not None:
            self._verify_alphabets(exchange, to)
        for state in self._processes.states:
            self._verify_steps(state, exchange)

    def _leaf_exchange(self, exchange: Exchange) -> list[int]:
        """Which process takes the place of which, in order, among those that start in the same way."""
        waiting: dict[LocalState, list[int]] = {}
        for number, leaf in enumerate(self._processes.leaves):
            waiting.setdefault(leaf.state, []).append(number)
        to = []
        for leaf in self._processes.leaves:
            places = waiting.get(self._local(leaf.state, exchange), [])
            if not places:
                raise NotSymmetric("there is no process that could take its place")
            to.append(places.pop(0))
        return to

    def _local(self, state: LocalState, exchange: Exchange) -> LocalState:
        values = self._symbolic(SymbolicState.of(state), exchange).parameters
        return LocalState(state.position, tuple(value for value in values if value is not None))

    def _symbolic(self, state: SymbolicState, exchange: Exchange) -> SymbolicState:
        values = tuple(
            None if value is None else exchange.value(self._parameter(state.position, number), value)
            for number, value in enumerate(state.parameters)
        )
        return SymbolicState(state.position, values)

    def _parameter(self, position: int, number: int) -> int | None:
        return self._numbering.kind(("parameter", position, number))

    # ------------------------------------------------------------ the question

    def _verify_question(self, exchange: Exchange, to: Sequence[int]) -> None:
        before = Forms(self._numbering, self._bounds, None)
        after = replace(before, exchange=exchange)
        problem = NotSymmetric("the question distinguishes it from others")
        for expression in self._asked.expressions:
            if after.expression(expression) != before.expression(expression):
                raise problem
        leaves = self._processes.leaves
        for processes in self._asked.processes:
            for number, leaf in enumerate(leaves):
                if (leaf.process in processes) != (leaves[to[number]].process in processes):
                    raise problem

    # ------------------------------------------------------------ shared events

    def _verify_alphabets(self, exchange: Exchange, to: Sequence[int]) -> None:
        """Events that several processes take part in: the same ones must, after the exchange."""
        alphabets = self._processes.tree.alphabets
        assert alphabets is not None
        images = self._labels(exchange)
        for label, image in images.items():
            if images.get(image) != label:
                raise NotSymmetric("events that are shared have names that do not follow its number")
            for number, alphabet in enumerate(alphabets):
                if (label in alphabet) != (image in alphabets[to[number]]):
                    raise NotSymmetric(f"'{label}' is shared by other processes than '{image}'")
            # the programs of a joint step are carried out in the order of the processes
            places = [to[number] for number in self._changing.get(label, ())]
            if places != sorted(places):
                raise NotSymmetric(f"several processes change variables by '{label}', one after the other")

    def _labels(self, exchange: Exchange) -> dict[str, str]:
        """What becomes of the events that processes may share."""
        found: dict[str, str] = {}
        for label in self._offered:
            text, image = self._text(label, None), self._text(label, exchange)
            if found.setdefault(text, image) != image:
                raise NotSymmetric(f"'{text}' means different things")
        return found

    def _text(self, label: EventTemplate, exchange: Exchange | None) -> str:
        arguments: list[Expression] = []
        for number, argument in enumerate(label.arguments):
            if not isinstance(argument, Constant):
                raise NotSymmetric(f"the arguments of '{label.name}' depend on variables")
            kind = self._numbering.kind(("label", label.name, number))
            value = argument.value if exchange is None else exchange.value(kind, argument.value)
            arguments.append(replace(argument, value=value))
        return event_text(label_text(EventTemplate(label.name, tuple(arguments))), Scope([]))

    @cached_property
    def _offered(self) -> frozenset[EventTemplate]:
        """The events that can be shared; their arguments must be known."""
        found: set[EventTemplate] = set()
        for state in self._processes.states:
            for step in self._processes.automata.steps(state):
                if not step.synchronises or step.handshake is not None:
                    continue
                if isinstance(step.label, ChannelTemplate):
                    raise NotSymmetric("a message can be a shared event")
                if isinstance(step.label, EventTemplate):
                    found.add(step.label)
        return frozenset(found)

    @cached_property
    def _changing(self) -> dict[str, list[int]]:
        """For each event that is shared, the processes that change variables by it."""
        found: dict[str, list[int]] = {}
        for number, leaf in enumerate(self._processes.leaves):
            for state in self._processes.automata.reachable([leaf.state]):
                for step in self._processes.automata.steps(state):
                    if (
                        step.update is not None
                        and step.synchronises
                        and isinstance(step.label, EventTemplate)
                    ):
                        own = found.setdefault(self._text(step.label, None), [])
                        if number not in own:
                            own.append(number)
        return found

    # ------------------------------------------------------------ steps

    def _verify_steps(self, state: SymbolicState, exchange: Exchange) -> None:
        image = self._symbolic(state, exchange)
        if image not in self._plain:
            self._plain[image] = self._forms(image, None)
        place = self._processes.network.behaviour.place(state.position)
        where = f"'{place.text}'" + ("" if place.span is None else f" ({place.span})")
        try:
            forms = self._forms(state, exchange)
        except NotSymmetric as problem:
            raise NotSymmetric(f"{problem}, at {where}") from None
        if forms != self._plain[image]:
            raise NotSymmetric(f"the steps of others are not the same, at {where}")

    def _forms(self, state: SymbolicState, exchange: Exchange | None) -> frozenset[Form]:
        edges = self._processes.network.behaviour.edges(state.position)
        assert edges is not None
        found: set[Form] = set()
        for number, step in self._processes.automata.numbered_steps(state):
            where = where_of(state.position, number, edges[number])
            channel = None if step.handshake is None else step.handshake.rendezvous.channel
            forms = Forms(self._numbering, self._bounds, exchange, where, channel)
            found.add(self._step(forms, edges[number].target.position, step))
        return frozenset(found)

    def _step(self, forms: Forms, target: int, step: LocalStep) -> Form:
        arguments: list[Form] = []
        if step.targets:  # else it fails before it gets there
            known = step.targets[0].parameters
            for place, argument in enumerate(step.arguments):
                value = known[place]
                given = argument if value is None else Constant(value)
                assert given is not None
                arguments.append(forms.expression(given, self._parameter(target, place)))
        return (
            None if step.guard is None else forms.expression(step.guard),
            self._seen(step, forms),
            None if step.update is None else forms.program(step.update),
            step.synchronises,
            None if step.handshake is None else self._handshake(step.handshake, forms),
            step.annotation,
            target,
            tuple(arguments),
        )

    def _handshake(self, half: Send | Receive, forms: Forms) -> Form:
        channel = half.rendezvous.channel
        index = forms.expression(half.rendezvous.index, self._numbering.kind(("channel", channel)))
        if isinstance(half, Send):
            sent = (
                forms.expression(value, self._numbering.kind(("field", channel, number)))
                for number, value in enumerate(half.values)
            )
            return ("send", channel, half.rendezvous.count, half.rendezvous.form, index, *sent)
        accepts = None if half.accepts is None else forms.expression(half.accepts)
        form = half.rendezvous.form
        return ("receive", channel, half.rendezvous.count, form, index, half.fields, accepts)

    def _seen(self, step: LocalStep, forms: Forms) -> Form:
        """What operators and the question see of a label, and what of it may fail."""
        label = step.label
        if not isinstance(label, EventTemplate | ChannelTemplate):
            return label
        text = label_text(label)
        failing = tuple(
            forms.expression(argument, forms.kind(argument))
            for argument in text.arguments
            if self._bounds.may_fail(argument)
        )
        if isinstance(step.handshake, Receive):  # the event is that of the sender
            return ("receive", failing)
        if all(isinstance(argument, Constant) for argument in text.arguments):
            event = event_text(text, Scope([]))
            seen = tuple(event in labels for labels in self._asked.labels)
        else:
            for labels in self._asked.labels:
                if any(named.startswith(text.pieces[0]) for named in labels):
                    raise NotSymmetric("the question names events whose arguments depend on variables")
            seen = (False,) * len(self._asked.labels)
        if (
            self._processes.tree.alphabets is not None
            and isinstance(label, EventTemplate)
            and step.synchronises
        ):
            return ("shared", self._text(label, forms.exchange), seen, failing)
        return ("event", seen, failing)
