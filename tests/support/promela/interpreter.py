"""What Promela programs do, from the manual: slow and obvious, and shares nothing with fairlead.

A state is the values of all variables, the contents of all channels, and where each process is. `explore`
lists the reachable states. States inside an atomic sequence that goes on are not among them, since no other
process can see them; a sequence whose next statement is blocked has lost control, and that state counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.support.promela import syntax as p
from tests.support.promela.flow import Flow, Location
from tests.support.promela.values import binary, unary, wrapped

#: (name, index): a variable that is no array has index 0; fields are called `r.f`
Place = tuple[str, int]
Message = tuple[int, ...]


class WrongProgram(Exception):
    """The program does what the generator promises not to do, such as leaving the bounds of an array."""


class TooLarge(Exception):
    """There are more states than the caller wants."""


@dataclass
class Queue:
    capacity: int
    fields: tuple[str, ...]
    messages: list[Message]


@dataclass
class Process:
    proctype: str
    location: Location
    values: dict[Place, int]
    #: how many channels there were before it began; it takes its own with it when it dies
    channels_before: int


@dataclass
class State:
    values: dict[Place, int] = field(default_factory=dict)
    queues: list[Queue] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    last: int = 0

    def copy(self) -> State:
        return State(
            dict(self.values),
            [Queue(one.capacity, one.fields, list(one.messages)) for one in self.queues],
            [
                Process(one.proctype, one.location, dict(one.values), one.channels_before)
                for one in self.processes
            ],
            self.last,
        )


@dataclass
class Successor:
    """A state after a step."""

    state: State
    #: the process that alone may go on, if it is in an atomic sequence
    exclusive: int | None
    #: who took part in the step: two in a handshake
    movers: frozenset[int]
    #: how many assertions failed
    failed: int = 0


@dataclass(frozen=True)
class Offer:
    """The first half of a handshake: a message that waits for a receiver."""

    queue: int
    message: Message


@dataclass(frozen=True)
class Viewpoint:
    """Who evaluates an expression in which state; whether nothing else can be executed."""

    state: State
    pid: int
    timeout: bool = False


class Interpreter:
    """The meaning of one program."""

    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.proctypes = {one.name: one for one in program.proctypes}
        self.flows = {one.name: Flow(one.body) for one in program.proctypes}
        # the manual: members are numbered from the last to the first, beginning with 1
        self.members = {name: len(program.mtype) - n for n, name in enumerate(program.mtype)}
        self.fields = dict(program.typedefs)
        self.types: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        for owner in ("", *self.proctypes):
            for one in self._variables(owner):
                self._learn(owner, one)
        self.hidden = {one.name for one in program.variables if one.hidden}
        self.sees_last = "_last" in repr(program)

    def _variables(self, owner: str) -> tuple[p.Declared, ...]:
        """The variables of a proctype, or all global ones; channels are variables too."""
        if owner:
            proctype = self.proctypes[owner]
            channels = tuple(p.Declared("chan", one.name, one.size) for one in proctype.channels)
            return (*proctype.parameters, *proctype.variables, *channels)
        channels = tuple(p.Declared("chan", one.name, one.size) for one in self.program.channels)
        return (*self.program.variables, *channels)

    def _learn(self, owner: str, one: p.Declared) -> None:
        for name, kind, size in self._parts(one):
            # the manual: arrays of bits are arrays of bytes
            of_bits = size is not None and kind in ("bit", "bool")
            self.types[f"{owner}:{name}"] = "byte" if of_bits else kind
            self.sizes[f"{owner}:{name}"] = 1 if size is None else size

    def _parts(self, one: p.Declared) -> Iterator[tuple[str, str, int | None]]:
        """The variables without fields that a variable consists of."""
        if one.type in self.fields:
            for part in self.fields[one.type]:
                for name, kind, size in self._parts(part):
                    yield f"{one.name}.{name}", kind, size
        else:
            yield one.name, one.type, one.size

    # ------------------------------------------------------------ beginning

    def initial(self) -> State:
        """The state in which the active processes and init are about to begin."""
        state = State()
        state.values = self._fresh("")
        for channel in self.program.channels:
            self._create(state, state.values, channel)
        for proctype in self.program.proctypes:
            for _ in range(1 if proctype.name == "init" else proctype.active):
                self.start(state, proctype, (0,) * len(proctype.parameters))
        return state

    def start(self, state: State, proctype: p.Proctype, arguments: Message) -> int:
        """Creates a process; its pid."""
        name = proctype.name
        values = self._fresh(name)
        for parameter, argument in zip(proctype.parameters, arguments, strict=True):
            values[parameter.name, 0] = wrapped(self.types[f"{name}:{parameter.name}"], argument)
        flow = self.flows[name]
        state.processes.append(Process(name, flow.resolved(flow.start), values, len(state.queues)))
        for channel in proctype.channels:
            self._create(state, values, channel)
        return len(state.processes) - 1

    def _fresh(self, owner: str) -> dict[Place, int]:
        values = {}
        for one in self._variables(owner):
            for name, kind, size in self._parts(one):
                for index in range(1 if size is None else size):
                    values[name, index] = wrapped(kind, one.initial)
        return values

    def _create(self, state: State, values: dict[Place, int], channel: p.Channel) -> None:
        for index in range(1 if channel.size is None else channel.size):
            # SPIN gives a bit that is the whole message a byte, one among several fields a bit
            kinds = ("byte",) if channel.fields in (("bit",), ("bool",)) else channel.fields
            state.queues.append(Queue(channel.capacity, kinds, []))
            values[channel.name, index] = len(state.queues)

    # ------------------------------------------------------------ expressions

    def value(self, e: p.Expr, at: Viewpoint) -> int:
        """The value of an expression."""
        match e:
            case p.Num(value):
                return value
            case p.Name("_pid"):
                return at.pid
            case p.Name("_nr_pr"):
                return len(at.state.processes)
            case p.Name("_last"):
                return at.state.last
            case p.Name("timeout"):
                return int(at.timeout)
            case p.Name(name):
                return self.members[name]
            case p.Var():
                values, place, _ = self._place(e, at)
                return values[place]
            case p.Unary(operator, operand):
                return unary(operator, self.value(operand, at))
            case p.Binary("&&", left, right):
                return int(self.value(left, at) != 0 and self.value(right, at) != 0)
            case p.Binary("||", left, right):
                return int(self.value(left, at) != 0 or self.value(right, at) != 0)
            case p.Binary(operator, left, right):
                return binary(operator, self.value(left, at), self.value(right, at))
            case p.Conditional(condition, then, otherwise):
                return self.value(then if self.value(condition, at) else otherwise, at)
            case p.Measure(function, channel):
                queue = at.state.queues[self._queue(channel, at)]
                length, most = len(queue.messages), queue.capacity
                return {
                    "len": length,
                    "empty": int(length == 0),
                    "nempty": int(length != 0),
                    "full": int(length == most),
                    "nfull": int(length != most),
                }[function]
            case p.Poll(channel, patterns, anywhere):
                queue = at.state.queues[self._queue(channel, at)]
                return int(self._match(queue, patterns, anywhere, at) is not None)
            case p.AtLabel(proctype, pid, label):
                if pid >= len(at.state.processes):
                    return 0
                return int(at.state.processes[pid].location is self.flows[proctype].labels[label])
            case p.RemoteVar(_, pid, variable):
                if pid >= len(at.state.processes):
                    return 0
                return at.state.processes[pid].values[variable, 0]
        raise TypeError(f"not an expression: {e}")

    def _place(self, variable: p.Var, at: Viewpoint) -> tuple[dict[Place, int], Place, str]:
        """Where a variable is kept, and its type."""
        process = at.state.processes[at.pid]
        owner = process.proctype if f"{process.proctype}:{variable.name}" in self.types else ""
        index = 0 if variable.index is None else self.value(variable.index, at)
        name = f"{owner}:{variable.name}"
        if not 0 <= index < self.sizes[name]:
            raise WrongProgram(f"index {index} of {variable.name}")
        return process.values if owner else at.state.values, (variable.name, index), self.types[name]

    def assign(self, target: p.Var, value: int, at: Viewpoint) -> None:
        """Changes a variable; what does not fit is cut off as C does it."""
        if target.name != "_":
            values, place, kind = self._place(target, at)
            values[place] = wrapped(kind, value)

    def _queue(self, channel: p.Var, at: Viewpoint) -> int:
        values, place, _ = self._place(channel, at)
        if not 0 < values[place] <= len(at.state.queues):
            raise WrongProgram(f"{channel.name} is not a channel")
        return values[place] - 1

    # ------------------------------------------------------------ messages

    def _match(
        self, queue: Queue, patterns: tuple[p.Pattern, ...], anywhere: bool, at: Viewpoint
    ) -> int | None:
        """The position of the message that a receive would take."""
        for position, message in enumerate(queue.messages):
            if self._fits(message, patterns, at):
                return position
            if not anywhere:
                return None
        return None

    def _fits(self, message: Message, patterns: tuple[p.Pattern, ...], at: Viewpoint) -> bool:
        for value, pattern in zip(message, patterns, strict=True):
            match pattern:
                case p.Var():
                    continue
                case p.Eval(expression):
                    wanted = self.value(expression, at)
                case _:
                    wanted = self.value(pattern, at)
            if value != wanted:
                return False
        return True

    def _take(self, message: Message, patterns: tuple[p.Pattern, ...], at: Viewpoint) -> None:
        for value, pattern in zip(message, patterns, strict=True):
            if isinstance(pattern, p.Var):
                self.assign(pattern, value, at)

    # ------------------------------------------------------------ steps

    def successors(self, state: State, only: int | None = None) -> list[Successor]:
        """What can happen next; if a process is in an atomic sequence, what it alone can do."""
        if only is not None:
            return self.steps(state, only)
        for timeout in (False, True):
            found = [
                after for pid in range(len(state.processes)) for after in self.steps(state, pid, timeout)
            ]
            if found:
                return found
        return []

    def steps(
        self, state: State, pid: int, timeout: bool = False, offer: Offer | None = None
    ) -> list[Successor]:
        """The steps of one process; with an offer, those that accept it."""
        process = state.processes[pid]
        provided = self.proctypes[process.proctype].provided
        if provided is not None and not self.value(provided, Viewpoint(state, pid)):
            return []
        flow = self.flows[process.proctype]
        for begin in (*process.location.escapes, process.location):
            found: list[Successor] = []
            for location in flow.alternatives(
                flow.resolved(begin) if begin is not process.location else begin
            ):
                if isinstance(location.statement, p.Else):
                    # nothing else of this process can be executed here
                    found += self._moved(state.copy(), pid, location) if not found and offer is None else []
                else:
                    found += self._execute(Viewpoint(state, pid, timeout), location, offer)
            if found:
                return found
        return []

    def _moved(self, state: State, pid: int, location: Location, failed: int = 0) -> list[Successor]:
        """The process goes on to the next location."""
        process = state.processes[pid]
        flow = self.flows[process.proctype]
        leads = isinstance(location.statement, p.Goto | p.Break)
        process.location = flow.resolved(flow.target(location) if leads else location.after)
        state.last = pid
        goes_on = location.atomic is not None and process.location.atomic == location.atomic
        return [Successor(state, pid if goes_on else None, frozenset({pid}), failed)]

    def _execute(self, at: Viewpoint, location: Location, offer: Offer | None) -> list[Successor]:
        """The successors by one statement: none if it is blocked, several if it is offered to several."""
        statement = location.statement
        if isinstance(statement, p.Receive):
            return self._receive(at, location, statement, offer)
        if offer is not None:
            return []
        if statement is None:
            return self._die(at)
        if isinstance(statement, p.Send):
            return self._send(at, location, statement)
        after = at.state.copy()
        inside = Viewpoint(after, at.pid, at.timeout)
        if isinstance(statement, p.DStep):
            if not self._is_enabled(inside, location.options[0]):
                return []
            failed = self._run_through(inside, location.options[0])
        else:
            possible = self._do(statement, inside)
            if possible is None:
                return []
            failed = possible
        return self._moved(after, at.pid, location, failed)

    def _do(self, statement: p.Statement, at: Viewpoint) -> int | None:
        """Executes a statement in place; how many assertions failed, or None if it is blocked."""
        match statement:
            case p.Condition(condition):
                return 0 if self.value(condition, at) else None
            case p.Assign(target, value):
                self.assign(target, self.value(value, at), at)
            case p.Step(target, operator):
                self.assign(target, self.value(target, at) + (1 if operator == "++" else -1), at)
            case p.Assert(condition):
                return int(not self.value(condition, at))
            case p.Run(name, arguments, into):
                values = tuple(self.value(one, at) for one in arguments)
                pid = self.start(at.state, self.proctypes[name], values)
                if into is not None:
                    self.assign(into, pid, at)
            case p.Print() | p.Goto() | p.Break():
                pass
            case _:
                raise TypeError(f"not a simple statement: {statement}")
        return 0

    def _die(self, at: Viewpoint) -> list[Successor]:
        """Processes die in the reverse order of their creation."""
        if at.pid != len(at.state.processes) - 1:
            return []
        after = at.state.copy()
        dead = after.processes.pop()
        del after.queues[dead.channels_before :]
        after.last = at.pid
        return [Successor(after, None, frozenset({at.pid}))]

    def _send(self, at: Viewpoint, location: Location, statement: p.Send) -> list[Successor]:
        number = self._queue(statement.channel, at)
        queue = at.state.queues[number]
        values = (self.value(one, at) for one in statement.values)
        message = tuple(wrapped(kind, value) for kind, value in zip(queue.fields, values, strict=True))
        after = at.state.copy()
        moved = self._moved(after, at.pid, location)
        if queue.capacity == 0:
            offer = Offer(number, message)
            others = [pid for pid in range(len(after.processes)) if pid != at.pid]
            return [
                replace(one, movers=one.movers | {at.pid})
                for pid in others
                for one in self.steps(after, pid, at.timeout, offer)
            ]
        self._enqueue(after.queues[number], message, statement)
        return moved if len(queue.messages) < queue.capacity else []

    def _enqueue(self, queue: Queue, message: Message, statement: p.Send) -> None:
        position = len(queue.messages)
        if statement.sorted:
            position = next((n for n, one in enumerate(queue.messages) if one > message), position)
        queue.messages.insert(position, message)

    def _receive(
        self, at: Viewpoint, location: Location, statement: p.Receive, offer: Offer | None
    ) -> list[Successor]:
        number = self._queue(statement.channel, at)
        after = at.state.copy()
        queue = after.queues[number]
        if (offer.queue if offer else None) != (number if queue.capacity == 0 else None):
            return []
        messages = [offer.message] if offer else queue.messages
        found = self._match(Queue(0, queue.fields, messages), statement.patterns, statement.anywhere, at)
        if found is None:
            return []
        self._take(messages[found], statement.patterns, Viewpoint(after, at.pid))
        if not offer and not statement.copy:
            del queue.messages[found]
        return self._moved(after, at.pid, location)

    # ------------------------------------------------------------ d_step

    def _is_enabled(self, at: Viewpoint, begin: Location) -> bool:
        return self._chosen(at, begin) is not None

    def _chosen(self, at: Viewpoint, begin: Location) -> Location | None:
        """What a `d_step` executes next: the first alternative that can be executed."""
        flow = self.flows[at.state.processes[at.pid].proctype]
        alternatives = flow.alternatives(begin)
        for location in alternatives:
            if isinstance(location.statement, p.Else):
                return location
            trial = Viewpoint(at.state.copy(), at.pid, at.timeout)
            if self._atomically(trial, location) is not None:
                return location
        return None

    def _atomically(self, at: Viewpoint, location: Location) -> int | None:
        """Executes a statement inside a `d_step` in place."""
        statement = location.statement
        assert statement is not None
        if isinstance(statement, p.Send | p.Receive):
            if isinstance(statement, p.Send):
                found = self._send(at, location, statement)
            else:
                found = self._receive(at, location, statement, None)
            if not found:
                return None
            (after,) = found
            at.state.values, at.state.queues = after.state.values, after.state.queues
            at.state.processes[at.pid].values = after.state.processes[at.pid].values
            return 0
        return self._do(statement, at)

    def _run_through(self, at: Viewpoint, begin: Location) -> int:
        """Executes a `d_step` to its end, in place; how many assertions failed."""
        flow = self.flows[at.state.processes[at.pid].proctype]
        failed = 0
        location = begin
        for _ in range(10_000):
            chosen = self._chosen(at, location)
            if chosen is None:
                raise WrongProgram("blocks in a d_step")
            if not isinstance(chosen.statement, p.Else):
                failed += self._atomically(at, chosen) or 0
            leads = isinstance(chosen.statement, p.Goto | p.Break)
            location = flow.resolved(flow.target(chosen) if leads else chosen.after)
            if location.statement is None:
                return failed
        raise WrongProgram("a d_step without end")

    # ------------------------------------------------------------ states

    def is_valid_end(self, state: State) -> bool:
        """Whether each process that is left is at its end or at an end label."""
        return all(
            one.location.statement is None or any(label.startswith("end") for label in one.location.labels)
            for one in state.processes
        )

    def key(self, state: State) -> tuple[object, ...]:
        """Equal for states that are the same; hidden variables are not part of a state."""
        values = tuple(sorted((k, v) for k, v in state.values.items() if k[0] not in self.hidden))
        processes = tuple(
            (one.proctype, one.location.number, tuple(sorted(one.values.items()))) for one in state.processes
        )
        queues = tuple(tuple(one.messages) for one in state.queues)
        return values, queues, processes, state.last if self.sees_last else 0
