"""What names in formulas about a process of a CSP# model mean: propositions, events, processes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from fairlead.base.diagnostics import Code, Diagnostic, InputError, counted, input_error
from fairlead.base.source import Span
from fairlead.lang.csp import syntax
from fairlead.lang.csp.atoms import Atoms
from fairlead.lang.csp.elaborate.expressions import GLOBAL, ExpressionElaborator
from fairlead.lang.csp.elaborate.positions import shorten
from fairlead.lang.csp.parse import parse_process
from fairlead.lang.csp.walk import nodes_of, process_children, processes_reached
from fairlead.lang.subject import (
    SubjectText,
    no_process,
    read_subject,
    same_but_blanks,
    several_copies,
)
from fairlead.model.assertion import AtomText, Meaning, ProcessAtom, StepAtom
from fairlead.model.counted_moves import choose_number, unboundedly_many
from fairlead.model.expression import Constant
from fairlead.model.labels import argument_text
from fairlead.model.network import Network
from fairlead.model.tree import Leaf, Sequel, Tree, Unbounded, subtrees

#: `P`, `P(0)`, `P()#2`
_PROCESS = re.compile(
    r"(?P<call>(?P<name>[^\W\d]\w*)\s*(?:\(.*\))?)\s*(?:#\s*(?P<copy>[1-9]\d*))?", re.DOTALL
)


class CspVocabulary:
    """The names in formulas about the system of one process, `main`.

    A process is who takes part in steps: a component of the outermost parallel composition, known by its
    call, or `main` itself where there is none.
    """

    def __init__(
        self, network: Network, main: syntax.Call, atoms: Atoms, expressions: ExpressionElaborator
    ) -> None:
        self.system = network
        self._main = main
        self._atoms = atoms
        self._expressions = expressions
        self._declared = expressions.declarations.processes

    def meaning(self, atom: AtomText) -> Meaning:
        """A proposition, a comparison, or else an event."""
        return self._atoms.meaning(atom)

    def subject(self, text: str, span: Span | None) -> StepAtom:
        """A process of the system, or else an event."""
        asked = read_subject(text)
        if asked.may_be_process:
            process = self._process(asked, span)
            if process is not None:
                return process
        if not asked.may_be_event:
            raise no_process(asked.name, self.system.name, self._components, span)
        return self._atoms.event(AtomText(asked.name, True, False, span))

    # ------------------------------------------------------------ processes

    def _process(self, asked: SubjectText, span: Span | None) -> ProcessAtom | None:
        """The process that is meant, if the name is that of one."""
        found = _PROCESS.fullmatch(asked.name)
        if found is None or found["name"] not in self._declared or (asked.is_quoted and asked.may_be_event):
            component = same_but_blanks(asked.name, self._components)
            return None if component is None else ProcessAtom(frozenset({component}))
        name = self._name(found["call"], span)
        names = {name}
        if found["copy"] not in (None, "1"):
            names = {f"{name}#{found['copy']}"}
        elif name == self._main_name:
            names.add(self.system.name)  # there the arguments are as they were written
        if found["copy"] is None:
            self._warn(several_copies(name, self._components, span))
        if names.isdisjoint(self._components):
            self._refuse_unbounded(names, span)
            if not self._may_come_later(found["name"]):
                raise no_process(min(names), self.system.name, self._components, span)
        return ProcessAtom(frozenset(names))

    def _refuse_unbounded(self, names: set[str], span: Span | None) -> None:
        """Refuses the name of processes of which there is any number: none has it for itself."""
        for node in (node for tree in self._initial_trees() for node in _nodes(tree)):
            if isinstance(node, Unbounded) and node.leaf.process in names:
                message = f"{unboundedly_many(node.name)}: no formula can name one of them"
                raise input_error(Code.COUNTERS, message, span, choose_number(node.name))

    def _name(self, text: str, span: Span | None) -> str:
        """How a component is called that runs the process of a call such as `Phil(1+1)`."""
        call = parse_process(text, Code.FORMULA, span)
        wanted = len(self._declared[call.process].parameters)
        if wanted != len(call.arguments):
            given = (
                f"process '{call.process}' takes {counted(wanted, 'argument')}, {len(call.arguments)} given"
            )
            similar = [name for name in self._components if name.startswith(f"{call.process}(")]
            raise input_error(Code.ARITY, given, span, f"for example '{similar[0]}'" if similar else None)
        try:
            return self._evaluated(call)
        except InputError as error:
            written = same_but_blanks(text, self._components)  # perhaps with the variable of an index
            if written is not None:
                return written
            problem = error.diagnostics[0]
            raise input_error(problem.code, problem.message, span, problem.hint) from None

    def _evaluated(self, call: syntax.Call) -> str:
        """A call with the values of its arguments; what is not a constant stays as it was written."""
        values = [
            (self._expressions.elaborate(argument, GLOBAL), argument.span) for argument in call.arguments
        ]
        texts = [
            argument_text(value.value, value.type) if isinstance(value, Constant) else shorten(span, 20)
            for value, span in values
        ]
        return f"{call.process}({','.join(texts)})"

    @cached_property
    def _main_name(self) -> str:
        return self._evaluated(self._main)

    @cached_property
    def _components(self) -> dict[str, None]:
        """The processes of the system as it starts, in their order."""
        return dict.fromkeys(owner for tree in self._initial_trees() for owner in _owners(tree))

    def _initial_trees(self) -> Iterator[Tree]:
        network, behaviour = self.system, self.system.behaviour
        if behaviour.edges(network.root.position) is not None:
            yield Leaf(network.root, network.name)
            return
        for values in network.initial_values:
            yield behaviour.compose(network.root, network.name, values)
            if not behaviour.composition_reads(network.root.position):
                return

    def _may_come_later(self, process: str) -> bool:
        """Whether a component that runs a process can appear during a run.

        New components appear only where `main` itself continues as a parallel composition: whatever a
        component becomes belongs to that component.
        """
        if self.system.name not in self._components:
            return False
        reached = processes_reached(self._main, self._declared).values()
        return any(
            isinstance(component, syntax.Call) and component.process == process
            for node in nodes_of(definition.body for definition in reached)
            if isinstance(node, syntax.Parallel | syntax.IndexedParallel | syntax.Replication)
            for component in process_children(node)
        )

    def _warn(self, warning: Diagnostic | None) -> None:
        if warning is not None and warning not in self._expressions.warnings:
            self._expressions.warnings.append(warning)


def _owners(tree: Tree) -> Iterator[str]:
    """The processes of the leaves of a tree, and those of what comes after a part of it."""
    return (node.process for node in _nodes(tree) if isinstance(node, Leaf | Sequel))


def _nodes(tree: Tree) -> Iterator[Tree]:
    pending = [tree]
    while pending:
        current = pending.pop()
        yield current
        pending += reversed(subtrees(current))
