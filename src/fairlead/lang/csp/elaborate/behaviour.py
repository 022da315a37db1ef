"""The behaviour of a CSP# model: what the Network asks about positions, answered from the process text."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from fairlead.base.allowance import tick
from fairlead.lang.csp import syntax
from fairlead.lang.csp.elaborate.alphabets import Alphabets
from fairlead.lang.csp.elaborate.declarations import Declarations
from fairlead.lang.csp.elaborate.edges import EdgeBuilder, NotSequential, construct_at
from fairlead.lang.csp.elaborate.events import listed_labels
from fairlead.lang.csp.elaborate.expressions import Environment, Names
from fairlead.lang.csp.elaborate.positions import (
    Frame,
    Frames,
    PositionTable,
    shorten,
    unguarded,
)
from fairlead.lang.csp.elaborate.replication import Endless, Replications, not_any_number
from fairlead.lang.csp.elaborate.sizes import MOST_PARTS, stands_for_too_much
from fairlead.model.counted_moves import choose_number
from fairlead.model.evaluation import Scope, evaluate
from fairlead.model.expression import Constant, Expression, reads_shared, slots_in
from fairlead.model.folding import negation
from fairlead.model.labels import TerminateTemplate, argument_text
from fairlead.model.network import Edge, Place, Target
from fairlead.model.tree import (
    ERROR,
    FIRST_POSITION,
    NESTING_LIMIT,
    SKIP,
    STOP,
    TERMINATED,
    Choice,
    ExternalChoice,
    Guarded,
    Leaf,
    LocalState,
    Parallel,
    Sequel,
    Tree,
    Unbounded,
    atomic,
    hidden,
    interrupt,
    parallel,
)

_TERMINATE = Edge(None, TerminateTemplate(), None, True, Target(TERMINATED.position))


class CspBehaviour:
    """Edges and compositions of the positions of one model, seen from the process `main`."""

    def __init__(self, table: PositionTable, declarations: Declarations, main: str) -> None:
        self._table = table
        self._declarations = declarations
        self._main = main
        self._alphabets = Alphabets(table, declarations)
        self._replications = Replications(table, declarations.numbers)
        self._edges: dict[int, tuple[Edge, ...] | None] = {
            STOP.position: (),
            SKIP.position: (_TERMINATE,),
            TERMINATED.position: (),
            ERROR.position: (),
        }
        self._conditions: dict[int, Expression] = {}
        self._reads: dict[int, frozenset[int]] = {}
        #: the choices, guards and conditions that are nodes of a tree, where no edge tells their branches
        self.composed: set[int] = set()

    # ------------------------------------------------------------ Behaviour

    def edges(self, position: int) -> tuple[Edge, ...] | None:
        """The edges of a position, or None if it is composite."""
        if position not in self._edges:
            try:
                builder = EdgeBuilder(self._table, self._declarations)
                self._edges[position] = builder.build(self._table.entries[position].frames)
            except NotSequential:
                self._edges[position] = None
        return self._edges[position]

    def compose(self, state: LocalState, process: str, values: Sequence[int]) -> Tree:
        """The tree of a composite local state; a new outermost composition names its components."""
        composer = _Composer(self, self._main, values)
        tree = composer.tree(self._table.ground(state), process)
        if composer.reads:
            self._reads[state.position] = self.composition_reads(state.position) | composer.reads
        return tree

    def composition_reads(self, position: int) -> frozenset[int]:
        """The shared variables that composing this position has examined."""
        return self._reads.get(position, frozenset())

    def is_guard(self, position: int) -> bool:
        """Whether a position stands for the guard of a composite process."""
        return position in self._conditions

    def condition(self, position: int) -> Expression:
        """The condition of a guard's position."""
        return self._conditions[position]

    def place(self, position: int) -> Place:
        """How to show a position."""
        return self._table.entries[position].place

    def identity(self, position: int) -> bytes:
        """What a position is called: where it stands in the text, and what its names mean."""
        return self._table.identity(position)

    def position(self, identity: bytes) -> int:
        """The position that is called so."""
        number = self._table.position(identity)
        if number >= FIRST_POSITION:
            self._note_condition(number)
        return number

    @property
    def position_count(self) -> int:
        """Those found so far."""
        return len(self._table.entries)

    # ------------------------------------------------------------ for the composer

    @property
    def table(self) -> PositionTable:
        """The positions."""
        return self._table

    @property
    def alphabets(self) -> Alphabets:
        """The alphabets of components."""
        return self._alphabets

    @property
    def replications(self) -> Replications:
        """The copies of replicated processes."""
        return self._replications

    def guard_state(self, node: syntax.Process, environment: Environment, positive: bool) -> LocalState:
        """The local state that stands for a guard on a composite process: it is a position of its own."""
        assert isinstance(node, syntax.Guarded | syntax.Conditional)
        marker = self._table.identities.guard(node, positive)
        state = self._table.local_state((Frame(marker, environment),))
        self._note_condition(state.position)
        return state

    def _note_condition(self, position: int) -> None:
        """Notes what a position means if it stands for a guard."""
        symbolic = self._table.entries[position].frames[0]
        positive = self._table.identities.is_positive(symbolic.node)
        if positive is None:
            return
        assert isinstance(symbolic.node, syntax.Guarded)
        names = Names(symbolic.environment)
        test = self._table.expressions.condition(symbolic.node.condition, names)
        self._conditions[position] = test if positive else negation(test)


class _Composer:
    """Builds the tree of one composite local state."""

    def __init__(self, behaviour: CspBehaviour, main: str, values: Sequence[int]) -> None:
        self._behaviour = behaviour
        self._main = main
        self._values = values
        self._used: Counter[str] = Counter()
        self._open: list[tuple[int, tuple[tuple[str, Expression], ...]]] = []
        self._parts = 0
        self.reads: frozenset[int] = frozenset()

    def tree(self, frames: Frames, process: str) -> Tree:
        """The tree of ground frames, owned by `process` (or by new components, in the main process)."""
        table = self._behaviour.table
        called = frames[0].node
        tick()
        self._parts += 1
        if self._parts > MOST_PARTS:
            what = f"the composition of '{self._main}'"
            raise stands_for_too_much(what, MOST_PARTS, "parts", called.span)
        frames = self._reached(table.normal(frames))
        state = table.local_state(frames)
        if self._behaviour.edges(state.position) is not None:
            return Leaf(state, process)
        first, rest = frames[0], frames[1:]
        key = (id(first.node), tuple(first.environment.items()))
        if key in self._open or len(self._open) > NESTING_LIMIT:
            raise unguarded(called)
        self._open.append(key)
        tree = self._node(first, process)
        self._open.pop()
        if not rest:
            return tree
        if isinstance(tree, Leaf) and tree.state == SKIP:  # Skip; Q is Q
            return self.tree(rest, process)
        return Sequel(tree, table.local_state(rest), process, construct_at(";", rest[0].node))

    def _reached(self, frames: Frames) -> Frames:
        """Composite calls whose arguments read shared variables take their values now."""
        table = self._behaviour.table
        while isinstance(frames[0].node, syntax.Call):
            state = table.local_state(frames)
            if self._behaviour.edges(state.position) is not None:
                break
            body = table.unfold(frames[0])
            environment = {name: self._value(value) for name, value in body.environment.items()}
            frames = table.normal((Frame(body.node, environment), *frames[1:]))
        return frames

    def _value(self, expression: Expression) -> Expression:
        if reads_shared(expression):
            self.reads |= slots_in(expression)
            return Constant(evaluate(expression, Scope(list(self._values))), expression.type)
        return expression

    def _node(self, frame: Frame, process: str) -> Tree:
        node, environment = frame.node, frame.environment
        names = Names(environment)
        expressions = self._behaviour.table.expressions
        self._behaviour.composed.add(id(node))
        match node:
            case syntax.Parallel(kind=kind, components=components):
                return self._parallel(kind, [Frame(part, environment) for part in components], process)
            case syntax.IndexedParallel() | syntax.Replication():
                copies = self._behaviour.replications.copies(node, environment)
                if isinstance(copies, Endless):
                    return self._endless(copies, process)
                kind = syntax.ParallelKind.INTERLEAVE if isinstance(node, syntax.Replication) else node.kind
                return self._parallel(kind, copies, process)
            case syntax.Choice(kind=kind, branches=branches):
                return self._choice(kind, [Frame(branch, environment) for branch in branches], process)
            case syntax.IndexedChoice(kind=kind, ranges=ranges, body=body):
                inner = [Frame(body, one.environment) for one in expressions.index_values(ranges, names)]
                return self._choice(kind, inner, process)
            case syntax.Interrupt(parts=(body, *handlers)):
                tree = self._inner(Frame(body, environment), process)
                for handler in handlers:
                    tree = interrupt(tree, self._inner(Frame(handler, environment), process))
                return tree
            case syntax.Hiding(process=body, events=events):
                tree = self._inner(Frame(body, environment), process)
                return hidden(tree, listed_labels(expressions, events, names))
            case syntax.Atomic(process=body):
                return atomic(self._inner(Frame(body, environment), process))
            case syntax.Guarded(process=guarded):
                guard = self._behaviour.guard_state(node, environment, True)
                return Guarded(guard, self._inner(Frame(guarded, environment), process))
            case syntax.Conditional(then=then, otherwise=otherwise):
                return self._ifa(node, then, otherwise or syntax.Skip(node.span), environment, process)
        raise AssertionError(node)

    def _choice(self, kind: syntax.ChoiceKind, frames: list[Frame], process: str) -> Tree:
        if len(frames) == 1:
            return self._inner(frames[0], process)
        branches = self._alternatives([partial(self._inner, frame, process) for frame in frames])
        return ExternalChoice(branches) if kind is syntax.ChoiceKind.EXTERNAL else Choice(branches)

    def _alternatives(self, branches: list[Callable[[], Tree]]) -> tuple[Tree, ...]:
        """Branches of which one will run: the names of components are counted in each by itself."""
        before, after = self._used, Counter(self._used)
        found = []
        for branch in branches:
            self._used = Counter(before)
            found.append(branch())
            after |= self._used
        self._used = after
        return tuple(found)

    def _ifa(
        self,
        node: syntax.Conditional,
        then: syntax.Process,
        otherwise: syntax.Process,
        environment: Environment,
        process: str,
    ) -> Tree:
        def branch(positive: bool, body: syntax.Process) -> Tree:
            guard = self._behaviour.guard_state(node, environment, positive)
            return Guarded(guard, self._inner(Frame(body, environment), process))

        return Choice(self._alternatives([partial(branch, True, then), partial(branch, False, otherwise)]))

    def _inner(self, frame: Frame, process: str) -> Tree:
        return self.tree((frame,), process)

    def _parallel(self, kind: syntax.ParallelKind, frames: list[Frame], process: str) -> Tree:
        components: list[Tree] = []
        for _, alike in itertools.groupby(frames, key=id):
            components += self._components(list(alike), process)
        if len(components) == 1:
            return components[0]
        if kind is syntax.ParallelKind.INTERLEAVE:
            return parallel(tuple(components), None)
        return _synchronised(components, self._behaviour.alphabets.alphabets(frames))

    def _components(self, alike: list[Frame], process: str) -> list[Tree]:
        """The trees of copies of one process, which differ in their names only."""
        frame, *others = alike
        is_named = process == self._main and not self._is_parallel(frame)
        name = self._component_name(frame) if is_named else process

        def owner() -> str:
            return self._numbered(name) if is_named else process

        first = self._inner(frame, owner())
        if isinstance(first, Leaf):
            return [first, *(Leaf(first.state, owner()) for _ in others)]
        return [first, *(self._inner(copy, owner()) for copy in others)]

    def _endless(self, copies: Endless, process: str) -> Tree:
        """Any number of copies; they are a component of the interleaving around them, if there is one."""
        (leaf,) = self._components([copies.frame], process)
        if not isinstance(leaf, Leaf):
            problem = "each is a composition of others"
            raise not_any_number(copies.name, problem, copies.frame.node.span, choose_number(copies.name))
        apart = leaf.process != process
        return parallel((Unbounded(leaf, copies.least, copies.name, apart),), None)

    def _is_parallel(self, frame: Frame) -> bool:
        """Whether a component is itself a parallel composition: then its components are the processes."""
        frames = self._behaviour.table.normal((frame,))
        kinds = syntax.Parallel | syntax.IndexedParallel | syntax.Replication
        return len(frames) == 1 and isinstance(frames[0].node, kinds)

    def _component_name(self, frame: Frame) -> str:
        node = frame.node
        if isinstance(node, syntax.Call):
            body = self._behaviour.table.unfold(frame)
            values = [
                argument_text(value.value, value.type)
                if isinstance(value, Constant)
                else shorten(argument.span, 20)
                for value, argument in zip(body.environment.values(), node.arguments, strict=True)
            ]
            name = f"{node.process}({','.join(values)})"
        else:
            # a text that is not a call is identified by its place: its spelling must not matter
            free = self._behaviour.table.names.free(node)
            values = [
                argument_text(value.value, value.type)
                for name, value in sorted(frame.environment.items())
                if name in free and isinstance(value, Constant)
            ]
            name = construct_at(shorten(node.span, 40), node) + (f" [{','.join(values)}]" if values else "")
        return name

    def _numbered(self, name: str) -> str:
        """The name of the next component that is called so."""
        self._used[name] += 1
        return name if self._used[name] == 1 else f"{name}#{self._used[name]}"


def _synchronised(components: list[Tree], alphabets: list[frozenset[str]]) -> Parallel:
    """`||`, with nested ones flattened: it is associative as long as alphabets are those of the parts."""
    flat: list[Tree] = []
    flat_alphabets: list[frozenset[str]] = []
    for tree, alphabet in zip(components, alphabets, strict=True):
        inner = tree.alphabets if isinstance(tree, Parallel) else None
        if isinstance(tree, Parallel) and inner is not None and frozenset().union(*inner) == alphabet:
            flat += tree.components
            flat_alphabets += inner
        else:
            flat.append(tree)
            flat_alphabets.append(alphabet)
    return Parallel(tuple(flat), tuple(flat_alphabets))
