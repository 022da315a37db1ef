"""Processes by name and arguments: machines of primitive ones, compositions of composite ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from fairlead.base.diagnostics import Code, Diagnostic, InputError, LimitReached, input_error, nearest
from fairlead.base.files import read_text
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import unknown_process
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.formulas import FormulaElaborator
from fairlead.lang.fsp.elaborate.labels import (
    alternatives,
    each,
    label_texts,
    matching,
    renaming,
    set_texts,
    unmatched,
)
from fairlead.lang.fsp.elaborate.operations import (
    hidden_labels,
    mapped,
    merges_labels,
    prefixed,
    private_label,
    relabelled,
    shared,
    within,
)
from fairlead.lang.fsp.elaborate.primitive import MachineBuilder
from fairlead.lang.fsp.elaborate.scopes import instance_scope
from fairlead.lang.fsp.elaborate.values import Scope, Value, evaluate, is_true
from fairlead.lang.fsp.syntax import (
    AssertDefinition,
    CompositeBody,
    CompositeDefinition,
    CompositeForall,
    CompositeIf,
    CompositePart,
    ImportDefinition,
    Modifiers,
    ProcessDefinition,
    ProcessReference,
    Relabelling,
)
from fairlead.model.composition import (
    Composition,
    ConstraintFormula,
    MachineTools,
    NotDeterministic,
    NotSafety,
)
from fairlead.model.labels import is_internal
from fairlead.model.machine import ERROR_STATE, TAU, ActionPriority, Machine, hidden, reachable_part, visible

#: processes that need other ones, one inside the other
NESTING_LIMIT = 60
#: machines in one composition
MACHINE_LIMIT = 20_000

Machines = tuple[Machine, ...]

#: the transitions of a process that is ERROR
_AT_ONCE_WRONG = (((TAU, ERROR_STATE),),)


class Processes:
    """Elaborates processes as they are asked for, each instance once."""

    def __init__(self, declarations: Declarations, tools: MachineTools, folder: Path) -> None:
        self._declarations = declarations
        self._tools = tools
        self._folder = folder
        self._machines: dict[tuple[str, tuple[Value, ...]], Machine] = {}
        self._compositions: dict[tuple[str, tuple[Value, ...]], Composition] = {}
        self._under_way: list[str] = []
        self._instances: dict[str, int] = {}

    # ------------------------------------------------------------ what can be asked for

    def target(self, name: str, values: tuple[Value, ...], *, is_composite: bool) -> Composition:
        """A composite or primitive process; without arguments it has its default ones."""
        if is_composite:
            return self._composition(self._declarations.composites[name], values)
        machine = self._machine(name, values, None)
        return Composition(machine.name, (machine,))

    def everything(self, name: str) -> Composition:
        """All primitive processes and constraints side by side."""
        constraints = [one.name for one in self._declarations.asserts.values() if one.is_constraint]
        names = [*self._declarations.processes, *constraints]
        return Composition(name, tuple(self._machine(one, (), None) for one in names))

    def built(self, composition: Composition) -> Machine:
        """One machine that does what a composition does to the outside."""
        machine = self._tools.composed(composition.name, composition.machines, composition.priority)
        machine = machine.made_of(*composition.machines)
        internal = frozenset(label for label in machine.alphabet if is_internal(label))
        machine = hidden(machine, internal | composition.hidden)
        return self._modified(machine, composition.modifiers, is_composite=True, span=None)

    def sequential(self, reference: ProcessReference, scope: Scope) -> Machine:
        """The machine of a process that is to be followed by another one."""
        values = _arguments(reference, scope)
        if reference.name in self._declarations.processes:
            return self._machine(reference.name, values, reference.span)
        return self.built(self._composition(self._composite(reference), values, reference.span))

    # ------------------------------------------------------------ primitive processes

    def _machine(self, name: str, values: tuple[Value, ...], span: Span | None) -> Machine:
        if (name, values) not in self._machines:
            with self._elaborating(name, values, span):
                self._machines[name, values] = self._new_machine(name, values, span)
        return self._machines[name, values]

    def _new_machine(self, name: str, values: tuple[Value, ...], span: Span | None) -> Machine:
        if name not in self._declarations.processes:
            return self._constraint(self._declarations.asserts[name], values, span)
        definition = self._declarations.processes[name]
        if isinstance(definition, ImportDefinition):
            return self._imported(definition)
        scope = self._instance_scope(definition, values, span)
        machine = MachineBuilder(instance_name(name, values), definition.locals, scope, self).machine()
        if definition.extension is not None:
            extension = set_texts(definition.extension, scope.loose())
            machine = replace(machine, alphabet=tuple(dict.fromkeys([*machine.alphabet, *extension])))
        if definition.relabelling:
            self._warn_unmatched(definition.relabelling, scope, machine.alphabet)
            machine = relabelled(machine, renaming(definition.relabelling, scope))
        if definition.hiding is not None:
            chosen = set_texts(definition.hiding.labels, scope.loose())
            machine = hidden(machine, hidden_labels(machine.alphabet, definition.hiding.exposes, chosen))
        return self._modified(
            reachable_part(machine), definition.modifiers, is_composite=False, span=definition.span
        )

    def _modified(self, machine: Machine, words: Modifiers, is_composite: bool, span: Span | None) -> Machine:
        if words.deterministic or (words.property and is_composite):
            machine = self._tools.determinised(machine).made_of(machine)
        if words.minimal:
            machine = self._tools.minimised(machine, is_composite).made_of(machine)
        if words.property and machine.transitions != _AT_ONCE_WRONG:
            try:
                machine = self._tools.completed(machine)
            except NotDeterministic as problem:
                raise _no_property(machine.name, problem.label, span) from None
        return machine

    def _imported(self, definition: ImportDefinition) -> Machine:
        path = (self._folder / definition.file).resolve()
        if not path.is_relative_to(self._folder.resolve()):
            problem = f"'{definition.file}' is not below the model's folder"
            raise input_error(Code.FILE, problem, definition.span)
        try:
            text = read_text(path)
        except InputError as error:
            raise input_error(Code.FILE, error.diagnostics[0].message, definition.span) from None
        from fairlead.lang.explicit.read import read_graph  # rarely needed

        graph = read_graph(Source(definition.file, text, path), ".aut")
        order = [graph.initial, *(state for state in range(graph.state_count) if state != graph.initial)]
        numbers = {state: number for number, state in enumerate(order)}
        labels: dict[str, None] = {}
        transitions = []
        for state in order:
            steps = []
            for step in graph.steps(state):
                label = TAU if is_internal(step.event) or step.event == TAU else step.event
                assert isinstance(step.target, int)
                steps.append((label, numbers[step.target]))
                if label != TAU:
                    labels.setdefault(label)
            transitions.append(tuple(dict.fromkeys(steps)))
        return reachable_part(Machine(definition.name, tuple(labels), tuple(transitions)))

    def _constraint(
        self, definition: AssertDefinition, values: tuple[Value, ...], span: Span | None
    ) -> Machine:
        scope = self._instance_scope(definition, values, span)
        formulas = FormulaElaborator(self._declarations)
        text = formulas.text(definition.formula, scope)
        alphabet = list(formulas.actions_used)
        if definition.extension is not None:
            alphabet += set_texts(definition.extension, scope.loose())
        formula = ConstraintFormula(text, formulas.actions, formulas.fluents, tuple(dict.fromkeys(alphabet)))
        try:
            return self._tools.constraint(instance_name(definition.name, values), formula)
        except NotSafety:
            problem = (
                f"constraint '{definition.name}' does not forbid any finite run, so it cannot be enforced"
            )
            hint = "a constraint says what never happens, such as [](a -> !b)"
            raise input_error(Code.FORMULA, problem, definition.span, hint) from None

    # ------------------------------------------------------------ composite processes

    def _composition(
        self, definition: CompositeDefinition, values: tuple[Value, ...], span: Span | None = None
    ) -> Composition:
        key = (definition.name, values)
        if key not in self._compositions:
            with self._elaborating(f"||{definition.name}", values, span):
                self._compositions[key] = self._new_composition(definition, values, span)
        return self._compositions[key]

    def _new_composition(
        self, definition: CompositeDefinition, values: tuple[Value, ...], span: Span | None
    ) -> Composition:
        scope = self._instance_scope(definition, values, span)
        machines = tuple(machine for part in self._parts(definition.body, scope) for machine in part.machines)
        if len(machines) > MACHINE_LIMIT:
            problem = f"'||{definition.name}' has more than {MACHINE_LIMIT:,} processes"
            raise LimitReached((Diagnostic(Code.LIMIT, problem, definition.span),))
        name = instance_name(definition.name, values)
        plain = Composition(name, machines)
        priority, concealed = None, frozenset[str]()
        if definition.priority is not None:
            chosen = matching(plain.alphabet, set_texts(definition.priority.labels, scope.loose()))
            priority = ActionPriority(chosen, definition.priority.is_high)
        if definition.hiding is not None:
            labels = set_texts(definition.hiding.labels, scope.loose())
            concealed = hidden_labels(plain.alphabet, definition.hiding.exposes, labels)
        return Composition(name, machines, priority, concealed, definition.modifiers)

    def _parts(self, body: CompositeBody, scope: Scope) -> Iterator[_Part]:
        match body:
            case CompositeIf(condition, then, otherwise):
                chosen = then if is_true(condition, scope) else otherwise
                if chosen is not None:
                    yield from self._parts(chosen, scope)
            case CompositeForall(indices, inner):
                for _, bound in each(indices, scope):
                    yield from self._parts(inner, bound)
            case CompositePart():
                yield from self._part(body, scope)

    def _part(self, part: CompositePart, scope: Scope) -> list[_Part]:
        if part.prefix is None:
            found = self._body(part.body, scope)
        else:  # its variables can be seen in what it stands before, but not in the relabelling
            found = [
                one.each(partial(prefixed, prefix=prefix))
                for prefix, inner in alternatives(part.prefix, scope)
                for one in self._body(part.body, inner)
            ]
        if part.sharing is not None:
            owners = label_texts(part.sharing, scope)
            found = [one.each(partial(shared, owners=owners)) for one in found]
        if part.relabelling:
            labels = [label for one in found for machine in one.machines for label in machine.alphabet]
            self._warn_unmatched(part.relabelling, scope, labels)
            names = renaming(part.relabelling, scope)
            found = [self._relabelled(one, names) for one in found]
        return found

    def _warn_unmatched(
        self, relabellings: Sequence[Relabelling], scope: Scope, labels: Sequence[str]
    ) -> None:
        for relabelling in unmatched(relabellings, scope, labels):
            old = relabelling.span.text
            self._declarations.warn(
                Code.NO_EFFECT,
                f"there is no action '{old}' to be relabelled",
                relabelling.span,
                nearest(old, dict.fromkeys(labels))
                or "the new name comes before the '/', the old one after it",
            )

    def _body(self, body: ProcessReference | tuple[CompositeBody, ...], scope: Scope) -> list[_Part]:
        if isinstance(body, ProcessReference):
            return [self._referred(body, scope)]
        return [part for inner in body for part in self._parts(inner, scope)]

    def _relabelled(self, part: _Part, names: dict[str, list[str]]) -> _Part:
        """Each machine relabelled; a named composite in which labels would merge is one machine first.

        Otherwise two of its machines would begin to take an action together.
        """
        if part.name is not None and len(part.machines) > 1:
            labels = dict.fromkeys(label for machine in part.machines for label in visible(machine))
            if merges_labels(labels, names):
                part = _Part((self.built(Composition(part.name, part.machines)),), part.name)
        return part.each(partial(relabelled, names=names))

    def _referred(self, reference: ProcessReference, scope: Scope) -> _Part:
        values = _arguments(reference, scope)
        name = reference.name
        declared = self._declarations
        if name in declared.processes or (name not in declared.composites and declared.is_primitive(name)):
            return _Part((self._machine(name, values, reference.span),), None)
        definition = self._composite(reference)
        composition = self._composition(definition, values, reference.span)
        # what hides ends as one, even where it has nothing to hide
        ends_apart = definition.hiding is None or all(m.end is None for m in composition.machines)
        if composition.only_hides and ends_apart:
            return _Part(self._fresh(composition), composition.name)
        return _Part((self.built(composition),), composition.name)

    def _fresh(self, composition: Composition) -> Machines:
        """The machines of one more instance of a composition that at most hides labels.

        They continue taking hidden labels together, but no other process can: labels get private names,
        others in each instance.
        """
        count = self._instances[composition.name] = self._instances.get(composition.name, 0) + 1
        owner = composition.name if count == 1 else f"{composition.name}#{count}"
        users: dict[str, int] = {}
        for machine in composition.machines:
            for label in machine.alphabet:
                users[label] = users.get(label, 0) + 1
        names = {
            label: [TAU if users[label] == 1 else private_label(label, owner)] for label in composition.hidden
        }
        if count > 1:
            names |= {label: [within(label, owner)] for label in users if is_internal(label)}
        if not names:
            return composition.machines
        return tuple(
            mapped(machine, machine.name, lambda label: names.get(label, [label]))
            for machine in composition.machines
        )

    def check_reference(self, reference: ProcessReference) -> None:
        """Refuses the name of a process that the model does not define."""
        if not self._declarations.is_primitive(reference.name):
            self._composite(reference)

    def _composite(self, reference: ProcessReference) -> CompositeDefinition:
        declared = self._declarations
        if reference.name not in declared.composites:
            known = [*declared.processes, *declared.composites]
            hint = nearest(reference.name, known)
            if reference.name in declared.asserts:
                hint = "an assert is not a process; a constraint is one"
            raise unknown_process(reference.name, reference.span, hint)
        return declared.composites[reference.name]

    # ------------------------------------------------------------ instances

    def _instance_scope(
        self,
        definition: ProcessDefinition | CompositeDefinition | AssertDefinition,
        values: tuple[Value, ...],
        span: Span | None,
    ) -> Scope:
        return instance_scope(self._declarations, definition.name, definition.parameters, values, span)

    @contextmanager
    def _elaborating(self, name: str, values: tuple[Value, ...], span: Span | None) -> Iterator[None]:
        """While inside, an instance that needs itself is found out."""
        instance = instance_name(name, values)
        if instance in self._under_way:
            ring = " needs ".join([*self._under_way[self._under_way.index(instance) :], instance])
            problem = f"this process is defined by itself: {ring}"
            raise input_error(Code.UNGUARDED_RECURSION, problem, span)
        if len(self._under_way) >= NESTING_LIMIT:
            problem = f"more than {NESTING_LIMIT} processes need each other, '{instance}' is the last of them"
            hint = "recursion over a parameter stops with 'if (N > 0) then …'"
            raise LimitReached((Diagnostic(Code.LIMIT, problem, span, hint),))
        self._under_way.append(instance)
        try:
            yield
        finally:
            self._under_way.pop()


@dataclass(frozen=True)
class _Part:
    """Machines that came from one reference; `name` is that of the composite they make up, if it is one."""

    machines: Machines
    name: str | None

    def each(self, change: Callable[[Machine], Machine]) -> _Part:
        """The same with every machine changed."""
        return _Part(tuple(change(machine) for machine in self.machines), self.name)


def privately(composition: Composition, name: str) -> Composition:
    """The composition with its hidden labels internal, still taken by all machines that have them."""
    names = {label: private_label(label, composition.name) for label in composition.hidden}
    machines = tuple(
        mapped(machine, machine.name, lambda label: [names.get(label, label)])
        for machine in composition.machines
    )
    rule = composition.priority
    if rule is not None:
        rule = ActionPriority(frozenset(names.get(label, label) for label in rule.labels), rule.is_high)
    return Composition(name, machines, rule)


def _arguments(reference: ProcessReference, scope: Scope) -> tuple[Value, ...]:
    return tuple(evaluate(argument, scope) for argument in reference.arguments)


def instance_name(name: str, values: Sequence[Value]) -> str:
    """How an instance is called: `P(3,x)`."""
    return f"{name}({','.join(map(str, values))})" if values else name


def _no_property(name: str, label: str, span: Span | None) -> Exception:
    if label == TAU:
        problem = f"property '{name}' has internal actions"
        hint = "a property says which actions may follow which; hide nothing in it"
    else:
        problem = f"property '{name}' can do '{label}' in two ways"
        hint = "a property must be deterministic: put what follows the action into one choice"
    return input_error(Code.TYPE, problem, span, hint)
