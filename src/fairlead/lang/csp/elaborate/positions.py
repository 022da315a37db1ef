"""Finds positions on demand: the places in the process text a sequential process can be at.

A position is a stack of frames: the text that runs now, and what follows it (`P; Q`). Each frame is a node
of the syntax tree; the names it depends on are parameters of the position (see `free`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial

from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    LimitReached,
    Related,
    counted,
    input_error,
    nearest,
)
from fairlead.base.records import dataclass
from fairlead.base.source import Span
from fairlead.lang.complaints import unknown_process
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.conversions import mismatch
from fairlead.lang.csp.elaborate.expressions import Environment, ExpressionElaborator, Names
from fairlead.lang.csp.elaborate.free import FreeNames
from fairlead.lang.csp.elaborate.identities import Identities
from fairlead.lang.csp.elaborate.sizes import MOST_CALLS, stands_for_too_much
from fairlead.lang.csp.elaborate.variables import declared_range
from fairlead.lang.csp.elaborate.written import piece_of, written_pieces
from fairlead.lang.csp.walk import nodes_of
from fairlead.model.canonical.numbers import NotCanonical
from fairlead.model.expression import Checked, Constant, Expression, Parameter, reads_shared
from fairlead.model.folding import fold
from fairlead.model.network import Piece, Place, Target
from fairlead.model.spelling import is_ground
from fairlead.model.tree import SKIP, STOP, LocalState
from fairlead.model.types import Type
from fairlead.model.values import ObjectType

#: unfolding deeper than this without an event is taken for endless
UNFOLDING_LIMIT = 400
#: more pending continuations than this, beyond those the text itself lists, are taken for endless recursion
STACK_LIMIT = 400


@dataclass(frozen=True)
class Frame:
    """A process text with what its names mean."""

    node: syntax.Process
    environment: Environment = field(default_factory=dict)


Frames = tuple[Frame, ...]


@dataclass(frozen=True)
class FrameKey:
    """What of a frame belongs to the position (the rest are values of parameters)."""

    node: int
    fixed: tuple[tuple[str, Constant], ...]
    parameters: tuple[tuple[str, Type], ...]


@dataclass(frozen=True)
class PositionEntry:
    """A known position: its frames, with parameters for the names that vary."""

    frames: Frames
    place: Place


class PositionTable:
    """The positions of one model, numbered in the order they are found.

    `root` is the call with which the system begins.
    """

    def __init__(
        self,
        expressions: ExpressionElaborator,
        processes: dict[str, syntax.ProcessDefinition],
        root: syntax.Call | None = None,
    ) -> None:
        self.expressions = expressions
        self.processes = processes
        self.names = FreeNames(processes)
        self._bodies = {id(definition.body): definition for definition in processes.values()}
        self._stack_limit = STACK_LIMIT + sum(
            len(node.parts)
            for node in nodes_of(definition.body for definition in processes.values())
            if isinstance(node, syntax.Sequence)
        )
        self._numbers: dict[tuple[FrameKey, ...], int] = {}
        bodies = [definition.body for definition in processes.values()]
        roots = bodies if root is None else [root, *bodies]
        self.identities = Identities(roots, self.names, expressions.library)
        self.entries: list[PositionEntry] = []
        for text in ("Stop", "Skip", "(terminated)", "(error)"):
            self.entries.append(PositionEntry((), Place(text)))

    # ------------------------------------------------------------ frames to positions

    def target(self, frames: Frames) -> Target:
        """The position of some frames, and the arguments that give its parameters their values."""
        frames = self.normal(frames)
        if isinstance(frames[0].node, syntax.Stop):
            return Target(STOP.position)
        if isinstance(frames[0].node, syntax.Skip):
            return Target(SKIP.position)
        return self._located(frames)

    def _located(self, frames: Frames) -> Target:
        """The position of frames as they are; `target` has them in normal form."""
        keys: list[FrameKey] = []
        arguments: list[Expression] = []
        for frame in frames:
            key, values = self._key(frame)
            keys.append(key)
            arguments += values
        identity = tuple(keys)
        if identity not in self._numbers:
            self._numbers[identity] = len(self.entries)
            self.entries.append(self._entry(frames, identity))
        return Target(self._numbers[identity], tuple(arguments))

    def local_state(self, frames: Frames) -> LocalState:
        """The local state of frames whose names all have known values."""
        target = self.target(frames)
        values: list[int] = []
        for argument in target.arguments:
            assert isinstance(argument, Constant), argument
            values.append(argument.value)
        return LocalState(target.position, tuple(values))

    def identity(self, position: int) -> bytes:
        """What a position is called, whenever it was found (see `identities`)."""
        frames = self.entries[position].frames
        return self.identities.identity([(frame.node, frame.environment) for frame in frames])

    def position(self, identity: bytes) -> int:
        """The position that is called so; raises `NotCanonical` if there is none."""
        frames = tuple(Frame(node, environment) for node, environment in self.identities.frames(identity))
        if not frames:
            raise NotCanonical("a position has no text")
        return self._located(frames).position

    def ground(self, state: LocalState) -> Frames:
        """The frames of a local state, with its values for the parameters."""
        frames = []
        for frame in self.entries[state.position].frames:
            environment = {
                name: Constant(state.parameters[value.slot], value.type)
                if isinstance(value, Parameter)
                else value
                for name, value in frame.environment.items()
            }
            frames.append(Frame(frame.node, environment))
        return tuple(frames)

    def normal(self, frames: Frames) -> Frames:
        """The same process in normal form: `Skip; Q` is `Q`, a call is the body it stands for.

        A call whose arguments read shared variables stays: they are read when it makes its first step.
        """
        unfolded = 0
        depths = [0] * len(frames)  # how many calls inside each other lead to each frame
        while True:
            first, rest = frames[0], frames[1:]
            match first.node:
                case syntax.Skip() if rest:
                    frames = rest
                    del depths[0]
                case syntax.Stop() if rest:
                    frames = (first,)
                case syntax.Sequence(parts=parts):
                    frames = (*(Frame(part, first.environment) for part in parts), *rest)
                    depths[:1] = [depths[0]] * len(parts)
                case syntax.Call():
                    body = self.unfold(first)
                    if any(reads_shared(value) for value in body.environment.values()):
                        return frames
                    unfolded += 1
                    depths[0] += 1
                    if depths[0] > UNFOLDING_LIMIT:
                        raise unguarded(first.node)
                    if unfolded > MOST_CALLS:
                        what = f"'{shorten(first.node.span)}', before its first event,"
                        raise stands_for_too_much(what, MOST_CALLS, "calls", first.node.span)
                    frames = (body, *rest)
                case _:
                    break
        if len(frames) > self._stack_limit:
            problem = Diagnostic(
                Code.LIMIT,
                f"more than {self._stack_limit} processes wait for another to end: endless recursion",
                first.node.span,
                "in 'P = a -> P; Q' each round leaves one more 'Q' behind",
            )
            raise LimitReached((problem,))
        return frames

    def unfold(self, frame: Frame) -> Frame:
        """The body a call stands for, its parameters bound to the arguments."""
        call = frame.node
        assert isinstance(call, syntax.Call)
        definition = self.check_arity(call)
        names = Names(frame.environment)
        environment = {
            parameter.name: self._argument(parameter, argument, names)
            for parameter, argument in zip(definition.parameters, call.arguments, strict=True)
        }
        return Frame(definition.body, environment)

    def _argument(self, parameter: syntax.Parameter, argument: syntax.Expression, names: Names) -> Expression:
        value = self.expressions.elaborate(argument, names)
        if parameter.range is None:
            return value
        if isinstance(value.type, ObjectType):
            raise mismatch(argument.span, Type.INT, value.type)
        low, high = declared_range(self.expressions, parameter.range)
        return fold(Checked(value, low, high, parameter.name, value.type, argument.span))

    def check_arity(self, call: syntax.Call) -> syntax.ProcessDefinition:
        """The definition of a called process, which must take so many arguments."""
        definition = self.definition(call)
        if len(definition.parameters) != len(call.arguments):
            raise input_error(
                Code.ARITY,
                f"process '{call.process}' takes {counted(len(definition.parameters), 'argument')}, "
                f"{len(call.arguments)} given",
                call.span,
                related=(Related("it is defined here", definition.name_span),),
            )
        return definition

    def definition(self, call: syntax.Call) -> syntax.ProcessDefinition:
        """The definition of a called process."""
        if call.process in self.processes:
            return self.processes[call.process]
        known = [*self.processes, "Skip", "Stop"]
        hint = nearest(call.process, known) or f"if it is an event, write '{call.process} -> Skip'"
        raise unknown_process(call.process, call.span, hint)

    # ------------------------------------------------------------ identity and display

    def _key(self, frame: Frame) -> tuple[FrameKey, list[Expression]]:
        free, structural = self.names.free(frame.node), self.names.structural(frame.node)
        fixed: list[tuple[str, Constant]] = []
        parameters: list[tuple[str, Type]] = []
        values: list[Expression] = []
        for name in sorted(free & frame.environment.keys()):
            value = frame.environment[name]
            if name in structural:
                if not isinstance(value, Constant):
                    raise input_error(
                        Code.NOT_CONSTANT,
                        f"'{name}' decides an index range, so it must be known without running the model",
                        frame.node.span,
                    )
                fixed.append((name, value))
            else:
                parameters.append((name, value.type))
                values.append(value)
        return FrameKey(id(frame.node), tuple(fixed), tuple(parameters)), values

    def _entry(self, frames: Frames, keys: tuple[FrameKey, ...]) -> PositionEntry:
        slot = 0
        symbolic = []
        shown: list[tuple[str, Type]] = []
        for frame, key in zip(frames, keys, strict=True):
            environment: dict[str, Expression] = dict(key.fixed)
            for name, kind in key.parameters:
                environment[name] = Parameter(slot, kind)
                shown.append((name, kind))
                slot += 1
            symbolic.append(Frame(frame.node, environment))
        pieces = self._pieces(symbolic)
        place = Place(self._text(frames), frames[0].node.span, tuple(shown), pieces)
        return PositionEntry(tuple(symbolic), place)

    def _pieces(self, frames: Sequence[Frame]) -> tuple[Piece, ...]:
        """The text with values in place of what parameters and constants determine."""
        pieces: list[Piece] = []
        for frame in frames:
            pieces += ["; "] * bool(pieces)
            definition = self._bodies.get(id(frame.node))
            if definition is None:
                arithmetic = partial(self._arithmetic, frame.environment)
                pieces += written_pieces(frame.node, frame.environment, arithmetic)
                continue
            pieces.append(f"{definition.name}(")
            for number, parameter in enumerate(definition.parameters):
                pieces += [", "] * bool(number)
                pieces.append(piece_of(frame.environment.get(parameter.name), parameter.name))
            pieces.append(")")
        return tuple(pieces)

    def _arithmetic(self, environment: Environment, node: syntax.Binary) -> Expression | None:
        """The value of an operation on integers, if it depends on constants and parameters alone."""
        try:
            value = self.expressions.elaborate(node, Names(environment))
        except InputError:
            return None
        return value if value.type is Type.INT and is_ground(value) else None

    def _text(self, frames: Frames) -> str:
        return "; ".join(self._frame_text(frame.node) for frame in frames)

    def is_body(self, node: syntax.Process) -> bool:
        """Whether a text is the whole body of a process."""
        return id(node) in self._bodies

    def _frame_text(self, node: syntax.Process) -> str:
        definition = self._bodies.get(id(node))
        if definition is None:
            return shorten(node.span)
        parameters = ", ".join(parameter.name for parameter in definition.parameters)
        return f"{definition.name}({parameters})"


def shorten(span: Span, limit: int = 60) -> str:
    """The text of a span on one line, cut if it is long."""
    text = " ".join(span.source.text[span.start : min(span.end, span.start + 4 * limit)].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def unguarded(node: syntax.Node) -> Exception:
    """The error for a process that calls itself without doing anything."""
    return input_error(
        Code.UNGUARDED_RECURSION,
        f"'{shorten(node.span)}' calls itself without an event in between, so it never makes a step",
        node.span,
        "put an event before the call, as in 'P = a -> P'",
    )
