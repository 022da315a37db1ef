"""A slow interpreter of FSP: each definition becomes an explicit machine, by the rules of the language.

It shares the parser with the product and nothing else. `minimal` means nothing here: it must not change any
answer, but for the number of states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairlead.base.source import Source
from fairlead.lang.fsp import syntax as fsp
from fairlead.lang.fsp.parse import parse
from tests.support.oracle.fsp_formulas import FluentOf, Formulas, constraint_machine
from tests.support.oracle.fsp_machines import (
    ERROR,
    TAU,
    Lts,
    Preference,
    completed,
    composed,
    deterministic,
    hidden,
    reachable,
    relabelled,
    renaming,
)
from tests.support.oracle.fsp_values import Env, Names, Rejected, Value

Arguments = tuple[Value, ...]
NO_MODIFIERS = fsp.Modifiers()


@dataclass(frozen=True)
class NamedComposite:
    """A composite that needs no building of its own: its machines join those around it."""

    machines: tuple[Lts, ...]


Component = Lts | NamedComposite


@dataclass(frozen=True)
class Target:
    """What is composed when somebody asks about a composite process."""

    machines: tuple[Lts, ...]
    preference: Preference | None = None
    hiding: tuple[list[str], bool] | None = None
    modifiers: fsp.Modifiers = NO_MODIFIERS

    def checked(self) -> Lts:
        """What checks look at: nothing that the target itself hides or reduces."""
        return composed(self.machines, self.preference)

    def presented(self) -> Lts:
        """What others see of it."""
        made = self.checked()
        if self.hiding is not None:
            made = hidden(made, *self.hiding)
        if self.modifiers.property or self.modifiers.deterministic:
            made = deterministic(made)
        return completed(made) if self.modifiers.property else made


class Interpreter:
    """The meaning of one text."""

    def __init__(self, text: str) -> None:
        self.names = Names()
        self.constants: dict[str, Value] = {}
        self.processes: dict[str, fsp.ProcessDefinition] = {}
        self.composites: dict[str, fsp.CompositeDefinition] = {}
        self.constraints: dict[str, fsp.AssertDefinition] = {}
        self.asserts: dict[str, fsp.AssertDefinition] = {}
        self.progress: list[fsp.ProgressDefinition] = []
        fluents: dict[str, fsp.FluentDefinition] = {}
        for item in parse(Source("model.lts", text)):
            match item:
                case fsp.ConstDefinition(name, value):
                    self.constants[name] = self.names.evaluate(value, self.constants)
                case fsp.RangeDefinition(name, fsp.Interval(low, high)):
                    ends = (self.names.number(e, self.constants) for e in (low, high))
                    self.names.ranges[name] = tuple(ends)  # type: ignore[assignment]
                case fsp.SetDefinition(name, body):
                    self.names.sets[name] = self.names.set_texts(body, self.constants)
                case fsp.ProcessDefinition(name):
                    self.processes[name] = item
                case fsp.CompositeDefinition(name):
                    self.composites[name] = item
                case fsp.ProgressDefinition():
                    self.progress.append(item)
                case fsp.FluentDefinition(name):
                    fluents[name] = item
                case fsp.AssertDefinition(name):
                    (self.constraints if item.is_constraint else self.asserts)[name] = item
        self.formulas = Formulas(self.names, self.constants, fluents, self.asserts | self.constraints)
        self._machines: dict[tuple[str, Arguments], Lts] = {}

    # ------------------------------------------------------------ targets

    @property
    def targets(self) -> list[str]:
        return [f"||{name}" for name in self.composites] or ["DEFAULT"]

    def target(self, name: str) -> Target:
        """A target by its full name."""
        if name == "DEFAULT":
            everything = [*self.processes, *self.constraints]
            return Target(tuple(self.process(process, ()) for process in everything))
        return self._composite(name.removeprefix("||"), ())

    def _composite(self, name: str, arguments: Arguments) -> Target:
        definition = self.composites[name]
        env = self._instance(definition.parameters, arguments)
        machines: list[Lts] = []
        for component in self._components(definition.body, env):
            machines += [component] if isinstance(component, Lts) else component.machines
        preference = None
        if definition.priority is not None:
            labels = self.names.set_texts(definition.priority.labels, env)
            preference = Preference(frozenset(labels), definition.priority.is_high)
        hiding = None
        if definition.hiding is not None:
            hiding = (self.names.set_texts(definition.hiding.labels, env), definition.hiding.exposes)
        return Target(tuple(machines), preference, hiding, definition.modifiers)

    def _instance(self, parameters: Sequence[fsp.Parameter], arguments: Arguments) -> Env:
        if not arguments:
            arguments = tuple(self.names.evaluate(p.default, self.constants) for p in parameters)
        return {**self.constants, **{p.name: v for p, v in zip(parameters, arguments, strict=True)}}

    # ------------------------------------------------------------ composition

    def _referred(self, reference: fsp.ProcessReference, env: Env) -> Component:
        arguments = tuple(self.names.evaluate(e, env) for e in reference.arguments)
        if reference.name in self.processes or reference.name in self.constraints:
            return self.process(reference.name, arguments)
        target = self._composite(reference.name, arguments)
        if target.preference is target.hiding is None and target.modifiers == NO_MODIFIERS:
            return NamedComposite(target.machines)
        return target.presented()

    def _components(self, body: fsp.CompositeBody, env: Env) -> list[Component]:
        match body:
            case fsp.CompositeIf(condition, then, otherwise):
                chosen = then if self.names.holds(condition, env) else otherwise
                return [] if chosen is None else self._components(chosen, env)
            case fsp.CompositeForall(indices, inner):
                envs = [inner_env for _, inner_env in self.names.assignments(indices, env)]
                return [c for inner_env in envs for c in self._components(inner, inner_env)]
            case fsp.CompositePart(sharing, prefix, inside, relabelling):
                if prefix is None:
                    found = self._inside(inside, env)
                else:  # its variables can be seen in what it stands before, but not in the renaming
                    copies = self.names.labels(prefix, env)
                    found = [_prefixed(c, [p]) for p, bound in copies for c in self._inside(inside, bound)]
                if sharing is not None:
                    found = [_prefixed(c, self.names.texts(sharing, env)) for c in found]
                pairs = self.names.pairs(relabelling, env)
                return [_renamed(c, pairs) for c in found]
        raise AssertionError(body)

    def _inside(
        self, inside: fsp.ProcessReference | Sequence[fsp.CompositeBody], env: Env
    ) -> list[Component]:
        if isinstance(inside, fsp.ProcessReference):
            return [self._referred(inside, env)]
        return [c for part in inside for c in self._components(part, env)]

    # ------------------------------------------------------------ primitive processes

    def process(self, name: str, arguments: Arguments) -> Lts:
        if (name, arguments) not in self._machines:
            self._machines[name, arguments] = self._made(name, arguments)
        return self._machines[name, arguments]

    def _made(self, name: str, arguments: Arguments) -> Lts:
        if name in self.constraints:
            definition = self.constraints[name]
            env = self._instance(definition.parameters, arguments)
            extra = [] if definition.extension is None else self.names.set_texts(definition.extension, env)
            fluents: dict[str, FluentOf] = {}
            return constraint_machine(self.formulas.formula(definition.formula, env, fluents), fluents, extra)
        process = self.processes[name]
        env = self._instance(process.parameters, arguments)
        made = PrimitiveBuilder(self, process, env).machine()
        if process.extension is not None:
            extra = self.names.set_texts(process.extension, env)
            made = Lts(made.alphabet | frozenset(extra), made.steps, made.ends)
        made = relabelled(made, renaming(self.names.pairs(process.relabelling, env)))
        if process.hiding is not None:
            made = hidden(made, self.names.set_texts(process.hiding.labels, env), process.hiding.exposes)
        if process.modifiers.property:
            made = completed(made)
        made = reachable(made)
        if process.modifiers.deterministic:
            made = deterministic(made)
        return made

    def in_sequence(self, reference: fsp.ProcessReference, env: Env) -> Lts:
        found = self._referred(reference, env)
        return found if isinstance(found, Lts) else composed(found.machines)


def _prefixed(component: Component, prefixes: Sequence[str]) -> Component:
    if isinstance(component, NamedComposite):
        return NamedComposite(tuple(_prefixed(m, prefixes) for m in component.machines))  # type: ignore[misc]
    return relabelled(component, lambda label: [f"{p}.{label}" for p in prefixes])


def _renamed(component: Component, pairs: Sequence[tuple[str, str]]) -> Component:
    """A composite whose labels would be merged is composed before."""
    rename = renaming(pairs)
    if isinstance(component, Lts):
        return relabelled(component, rename)
    alphabet = frozenset(a for m in component.machines for a in m.alphabet)
    news = [new for label in alphabet for new in rename(label)]
    if len(news) != len(set(news)):
        return relabelled(composed(component.machines), rename)
    return NamedComposite(tuple(relabelled(m, rename) for m in component.machines))


class PrimitiveBuilder:
    """Builds the machine of one primitive process.

    Every local process with every value of its indices is a node, so is every place between two actions.
    A node either has steps or is another name for a node.
    """

    def __init__(self, interpreter: Interpreter, process: fsp.ProcessDefinition, env: Env) -> None:
        self.interpreter, self.names, self.process, self.env = interpreter, interpreter.names, process, env
        self.steps: list[list[tuple[str, int]]] = []
        self.alias: dict[int, int] = {}
        self.alphabet: set[str] = set()
        self.local: dict[str, int] = {}
        self.stop, self.end, self.error = self.node(), self.node(), self.node()

    def node(self) -> int:
        self.steps.append([])
        return len(self.steps) - 1

    def machine(self) -> Lts:
        bodies = []
        for definition in self.process.locals:
            for values, env in self.names.assignments(definition.indices, self.env):
                node = self.local[_local_name(definition.name, values)] = self.node()
                bodies.append((node, definition.body, env))
        for node, body, env in bodies:
            self.fill(node, body, env)
        start = self.real(self.local[self.process.name])
        if start == self.error:
            return Lts(frozenset(self.alphabet), (((TAU, ERROR),),))
        order = [start, *(n for n in range(len(self.steps)) if n != start and n != self.error)]
        number = {self.error: ERROR} | {node: i for i, node in enumerate(order)}
        rows = [dict.fromkeys((a, number[self.real(t)]) for a, t in self.steps[node]) for node in order]
        return Lts(frozenset(self.alphabet), tuple(tuple(row) for row in rows), frozenset([number[self.end]]))

    def real(self, node: int) -> int:
        while node in self.alias:
            node = self.alias[node]
        return node

    def fill(self, node: int, body: fsp.LocalProcess, env: Env) -> None:
        """Makes a node behave as a text says."""
        match body:
            case fsp.Conditional(condition, then, otherwise):
                if self.names.holds(condition, env):
                    self.fill(node, then, env)
                elif otherwise is not None:
                    self.fill(node, otherwise, env)
                else:
                    self.alias[node] = self.stop
            case fsp.Choice(branches):
                for branch in branches:
                    if self.names.holds(branch.guard, env):
                        self.branch(node, branch.labels, branch.target, env)
            case fsp.Continue(before, name, indices):
                for reference in before:
                    node = self.inserted(node, self.interpreter.in_sequence(reference, env))
                values = [self.names.evaluate(e, env) for e in indices]
                special = {"STOP": self.stop, "END": self.end, "ERROR": self.error}
                self.alias[node] = special.get(name, self.local.get(_local_name(name, values), self.error))

    def branch(self, node: int, labels: Sequence[fsp.Label], target: fsp.LocalProcess, env: Env) -> None:
        first, *rest = labels
        for text, inner in self.names.labels(first, env):
            self.alphabet.add(text)
            after = self.node()
            self.steps[node].append((text, after))
            if rest:
                self.branch(after, rest, target, inner)
            else:
                self.fill(after, target, inner)

    def inserted(self, node: int, machine: Lts) -> int:
        """Puts a copy of a machine at a node; gives the node where it has ended."""
        if not machine.ends:
            raise Rejected("a process that does not end, in a sequence")
        self.alphabet |= machine.alphabet
        copies = [self.node() for _ in machine.steps]
        self.alias[node] = copies[0]
        ended = self.node()
        for state, row in enumerate(machine.steps):
            if state in machine.ends:
                self.alias[copies[state]] = ended
            self.steps[copies[state]] += [(a, self.error if t == ERROR else copies[t]) for a, t in row]
        return ended


def _local_name(name: str, values: Sequence[Value]) -> str:
    return ".".join([name, *map(str, values)])
