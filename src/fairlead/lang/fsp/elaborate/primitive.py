"""Primitive processes: from local definitions to a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.fsp.elaborate.labels import alternatives, each
from fairlead.lang.fsp.elaborate.values import Scope, Value, evaluate, is_true
from fairlead.lang.fsp.syntax import (
    Branch,
    Choice,
    Conditional,
    Continue,
    Label,
    LocalDefinition,
    LocalProcess,
    ProcessReference,
)
from fairlead.model.machine import ERROR_STATE, TAU, Machine, Origin, joined_origins

if TYPE_CHECKING:
    from fairlead.lang.fsp.elaborate.processes import Processes

#: no primitive process has more states than this
STATE_LIMIT = 2_000_000

_RESERVED = ("STOP", "END", "ERROR")


class MachineBuilder:
    """Builds the machine of one primitive process with given parameters."""

    def __init__(self, name: str, locals_: Sequence[LocalDefinition], scope: Scope, processes: Processes):
        self._name = name
        self._definitions = locals_
        self._scope = scope
        self._processes = processes
        self._instances: dict[str, tuple[LocalDefinition, Scope]] = {}
        self._known: dict[str, int] = {}
        self._transitions: list[dict[tuple[str, int], Origin]] = []
        #: places in the text whose transitions are not distinguished in a machine that was inserted
        self._merged: frozenset[Span] = frozenset()
        self._places: list[str] = []
        self._alphabet: dict[str, None] = {}
        self._pending: list[tuple[int, Choice | Continue | tuple[Branch, int], Scope]] = []
        self._end: int | None = None
        self._blamed: set[Span] = set()
        #: a state that stands for the beginning of a sequence -> the state in which that begins
        self._same: dict[int, int] = {}

    def machine(self) -> Machine:
        """The machine; states that cannot be reached are still there, since their labels count."""
        self._enumerate()
        start = self._named(next(iter(self._instances)), self._definitions[0].span)
        for key in self._instances:
            self._named(key, self._definitions[0].span)
            self._work()
        start = self._resolve(start)
        if start == ERROR_STATE:
            start = self._new_state(self._name)
            self._transitions[start][TAU, ERROR_STATE] = ()
        order = [start, *(state for state in range(len(self._transitions)) if state != start)]
        numbers = {state: number for number, state in enumerate(order)} | {ERROR_STATE: ERROR_STATE}
        rows = [
            joined_origins(
                ((label, numbers[self._resolve(target)]), origin)
                for (label, target), origin in self._transitions[state].items()
            )
            for state in order
        ]
        end = None if self._end is None else numbers[self._end]
        places = tuple(self._places[state] for state in order)
        transitions = tuple(map(tuple, rows))
        origins = tuple(tuple(row.values()) for row in rows)
        return Machine(self._name, tuple(self._alphabet), transitions, end, places, origins, self._merged)

    def _resolve(self, state: int) -> int:
        seen = []
        while state in self._same:
            if state in seen:
                problem = f"'{self._places[state]}' continues as itself without an action"
                raise input_error(Code.UNGUARDED_RECURSION, problem, self._definitions[0].span)
            seen.append(state)
            state = self._same[state]
        return state

    def _enumerate(self) -> None:
        """Every local process for every value of its indices."""
        for definition in self._definitions:
            if definition.name in _RESERVED:
                problem = f"'{definition.name}' is predefined"
                raise input_error(Code.NAME_CLASH, problem, definition.span)
            for values, scope in each(definition.indices, self._scope):
                key = _key(definition.name, values)
                if key in self._instances:
                    problem = f"'{key}' is defined twice in '{self._name}'"
                    raise input_error(Code.NAME_CLASH, problem, definition.span)
                self._instances[key] = (definition, scope)
                if len(self._instances) > STATE_LIMIT:
                    raise self._too_many()

    # ------------------------------------------------------------ states

    def _new_state(self, place: str) -> int:
        tick()
        if len(self._transitions) >= STATE_LIMIT:
            raise self._too_many()
        self._transitions.append({})
        self._places.append(place)
        return len(self._transitions) - 1

    def _too_many(self) -> LimitReached:
        problem = f"process '{self._name}' has more than {STATE_LIMIT:,} states"
        return LimitReached((Diagnostic(Code.LIMIT, problem, self._definitions[0].span),))

    def _add(self, source: int, label: str, target: int, origin: Origin = ()) -> None:
        known = self._transitions[source].get((label, target), ())
        self._transitions[source][label, target] = (*known, *origin) if known else origin
        self._alphabet.setdefault(label)

    def _reserved(self, name: str) -> int:
        """The state of STOP or END: there is one of each."""
        if name not in self._known:
            self._known[name] = self._new_state(name)
            if name == "END":
                self._end = self._known[name]
        return self._known[name]

    def _named(self, key: str, span: Span) -> int:
        """The state of a local process; processes that are just other names of it have the same."""
        chain: list[str] = []
        while key not in self._known:
            if key == "ERROR":
                self._known[key] = ERROR_STATE
            elif key in _RESERVED:
                self._reserved(key)
            elif key not in self._instances:
                self._undefined(key, span)
                self._known[key] = ERROR_STATE
            elif chain == [key]:
                problem = f"'{key}' is defined as itself: it does nothing, like STOP"
                self._scope.declarations.warn(Code.UNGUARDED_RECURSION, problem, span)
                self._known[key] = self._reserved("STOP")
            elif key in chain:
                ring = " = ".join([*chain[chain.index(key) :], key])
                problem = f"these processes are defined by each other and have no actions: {ring}"
                raise input_error(Code.UNGUARDED_RECURSION, problem, self._instances[key][0].span)
            else:
                chain.append(key)
                definition, scope = self._instances[key]
                body, span = _resolved(definition.body, scope), definition.span
                if isinstance(body, Continue) and not body.before:
                    key, span = _key(body.name, [evaluate(index, scope) for index in body.indices]), body.span
                    continue
                self._known[key] = self._started(body, scope, key)
        for alias in chain:
            self._known.setdefault(alias, self._known[key])
            if self._instances[alias][0].is_accepting and self._known[alias] != ERROR_STATE:
                self._add(self._known[alias], f"@{self._name}", self._known[alias])
        return self._known[key]

    def _undefined(self, key: str, span: Span) -> None:
        if span in self._blamed:
            return  # for another value of an index
        self._blamed.add(span)
        declarations = self._scope.declarations
        name = key.partition(".")[0]
        hint: str | None = f"the indices of '{name}' do not include this one: guard the step with 'when'"
        if name in declarations.processes or name in declarations.composites:
            hint = "a process can continue only as one of its own local processes, or as 'P; END'"
        elif not any(known.partition(".")[0] == name for known in self._instances):
            hint = nearest(name, (definition.name for definition in self._definitions))
        declarations.warn(
            Code.UNKNOWN_NAME, f"'{key}' is not defined in '{self._name}': it is ERROR", span, hint
        )

    def _started(self, body: Choice | Continue, scope: Scope, place: str) -> int:
        """The state in which a process begins that is no other name of a local process."""
        state = self._new_state(place)
        self._pending.append((state, body, scope))
        return state

    def _target(self, body: LocalProcess, scope: Scope, place: str) -> int:
        resolved = _resolved(body, scope)
        if isinstance(resolved, Continue) and not resolved.before:
            values = [evaluate(index, scope) for index in resolved.indices]
            return self._named(_key(resolved.name, values), resolved.span)
        return self._started(resolved, scope, place)

    # ------------------------------------------------------------ transitions

    def _work(self) -> None:
        while self._pending:
            state, body, scope = self._pending.pop()
            if isinstance(body, Continue):
                self._same[state] = self._sequence(body, scope)
            elif isinstance(body, Choice):
                for branch in body.branches:
                    if branch.guard is None or is_true(branch.guard, scope):
                        self._branch(state, branch, 0, scope)
            else:
                self._branch(state, *body, scope)

    def _branch(self, state: int, branch: Branch, first: int, scope: Scope) -> None:
        """The transitions under the label with number `first` of a branch; the rest follows later."""
        place = _after(self._places[state])
        origin = (branch.labels[first].span,)
        for label, inner in _checked(branch.labels[first], scope):
            if first + 1 < len(branch.labels):
                target = self._new_state(place)
                self._pending.append((target, (branch, first + 1), inner))
            else:
                target = self._target(branch.target, inner, place)
            self._add(state, label, target, origin)

    # ------------------------------------------------------------ one process after the other

    def _sequence(self, body: Continue, scope: Scope) -> int:
        """`A; B; P`: the end of each process is where the next begins."""
        values = [evaluate(index, scope) for index in body.indices]
        following = self._named(_key(body.name, values), body.span)
        for reference in reversed(body.before):
            following = self._inserted(reference, scope, following)
        return following

    def _inserted(self, reference: ProcessReference, scope: Scope, following: int) -> int:
        machine = self._processes.sequential(reference, scope)
        if machine.end is None:
            problem = f"'{reference.name}' never ends, so that nothing can follow it"
            hint = "a process before ';' must be able to reach END"
            raise input_error(Code.TYPE, problem, reference.span, hint)
        if machine.state_count == 1:
            return following  # it ends at once: LTSA leaves it out, with its alphabet
        states = {machine.end: following, ERROR_STATE: ERROR_STATE}
        for state in range(machine.state_count):
            if state != machine.end:
                states[state] = self._new_state(f"{machine.name}.{machine.place(state)}")
        for label in machine.alphabet:
            self._alphabet.setdefault(label)
        self._merged |= machine.merged
        for state in range(machine.state_count):
            for (label, target), origin in machine.traced(state):
                self._add(states[state], label, states[target], origin)
        return states[0]


def _resolved(body: LocalProcess, scope: Scope) -> Choice | Continue:
    """The process after all its conditions are decided."""
    while isinstance(body, Conditional):
        chosen = body.then if is_true(body.condition, scope) else body.otherwise
        if chosen is None:
            return Continue((), "STOP", (), body.condition.span)
        body = chosen
    return body


def _key(name: str, values: Sequence[Value]) -> str:
    return ".".join([name, *map(str, values)])


def _after(place: str) -> str:
    """How the state after a step from some place is shown: `P'`, `P''`."""
    return place + "'"


def _checked(label: Label, scope: Scope) -> Iterator[tuple[str, Scope]]:
    for text, inner in alternatives(label, scope):
        if not text:
            raise input_error(Code.SYNTAX, "an action needs a name", label.span)
        yield text, inner
