"""The states of a program that can be reached, by the interpreter."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.promela import syntax as p
from tests.support.promela.interpreter import Interpreter, State, TooLarge


@dataclass(frozen=True)
class Edge:
    """A way from a state to another: a step, or a whole stretch of an atomic sequence.

    `processes` take part in it: two in a handshake.
    """

    source: int
    target: int
    processes: frozenset[int]


@dataclass
class Explored:
    """States are numbered as they are found, from 0."""

    states: list[State] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    invalid_ends: list[int] = field(default_factory=list)
    failed_assertions: int = 0

    def counts(self) -> tuple[int, int, int]:
        """States, edges, and errors as SPIN counts them with -c0."""
        return len(self.states), len(self.edges), len(self.invalid_ends) + self.failed_assertions


def explore(program: p.Program, most: int = 600) -> Explored:
    """All states; raises TooLarge if there are more than `most`, or ten times as many edges."""
    interpreter = Interpreter(program)
    found = Explored()
    numbers: dict[tuple[object, ...], int] = {}

    def number(state: State) -> int:
        key = interpreter.key(state)
        if key not in numbers:
            numbers[key] = len(found.states)
            found.states.append(state)
        return numbers[key]

    number(interpreter.initial())
    for source, begin in enumerate(found.states):
        if len(found.states) > most or len(found.edges) > 10 * most:
            raise TooLarge
        # a state, who alone may go on, and who has moved since the beginning
        pending: list[tuple[State, int | None, frozenset[int]]] = [(begin, None, frozenset())]
        steps = 0
        while pending:
            state, only, moved = pending.pop()
            after = interpreter.successors(state, only)
            if not after and only is not None:
                found.edges.append(Edge(source, number(state), moved))  # it has lost control
            elif not after and state.processes and not interpreter.is_valid_end(state):
                found.invalid_ends.append(source)
            for one in after:
                steps += 1
                if steps > 20 * most:
                    raise TooLarge
                found.failed_assertions += one.failed
                movers = moved | one.movers
                if one.exclusive is None:
                    found.edges.append(Edge(source, number(one.state), movers))
                else:
                    pending.append((one.state, one.exclusive, movers))
    return found
