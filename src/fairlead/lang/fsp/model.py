"""Represents a loaded FSP model: its questions about composite processes, and their systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    InputError,
    LimitReached,
    input_error,
    nearest,
)
from fairlead.base.records import dataclass
from fairlead.base.source import Source, Span
from fairlead.lang.complaints import formula_hint, no_annotations, unknown_process
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.formulas import FormulaElaborator
from fairlead.lang.fsp.elaborate.labels import each, label_texts
from fairlead.lang.fsp.elaborate.processes import Processes, instance_name, privately
from fairlead.lang.fsp.elaborate.scopes import instance_scope
from fairlead.lang.fsp.elaborate.values import Scope, Value, as_value
from fairlead.lang.fsp.lexing import unclosed_comment
from fairlead.lang.fsp.names import fluents_in
from fairlead.lang.fsp.parse import NotRead, parse, parse_formula
from fairlead.lang.fsp.places import coverable
from fairlead.lang.fsp.syntax import Definition as SyntaxDefinition
from fairlead.lang.fsp.syntax import Formula, ProgressDefinition
from fairlead.lang.fsp.vocabulary import FspVocabulary
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import (
    SIMPLE_QUESTIONS,
    AllProgress,
    Assertion,
    EventAtom,
    FormulaText,
    Meaning,
    Progresses,
    ProgressTest,
    Refinement,
    Refines,
    Safe,
    Satisfies,
    SatisfiesBranching,
)
from fairlead.model.composition import Composition, FluentRule, MachineTools
from fairlead.model.coverable import Definition
from fairlead.model.machine_network import fluent_proposition, network_of
from fairlead.model.network import Network
from fairlead.model.system import Proposition

#: the target of a model without composite processes: all its processes side by side
DEFAULT = "DEFAULT"
#: the name of the check on all actions
DEFAULT_PROGRESS = "default"

_SIMPLE: Mapping[str, type[Assertion]] = {"safety": Safe, **SIMPLE_QUESTIONS}
_PROCESS = re.compile(r"\s*(?P<bars>\|\|)?\s*(?P<name>\w+)\s*(?:\((?P<arguments>[^()]*)\))?\s*")
_QUESTION = re.compile(
    r"\s*(?P<process>(?:\|\|)?\s*\w+(?:\s*\([^()]*\))?)\s*(?:"
    rf"(?P<simple>{'|'.join(_SIMPLE)})\s*;?\s*"
    r"|progress\s+(?P<progress>[\w.]+)\s*;?\s*"
    r"|refines\s*(?:<\s*(?P<refinement>F|FD)\s*>)?\s*(?P<specification>(?:\|\|)?\s*\w+(?:\s*\([^()]*\))?)\s*;?\s*"
    r"|\|=(?P<formula>.*))",
    re.DOTALL,
)


@dataclass(frozen=True)
class _Target:
    """A process that can be asked about; without values it has its default arguments."""

    name: str
    values: tuple[Value, ...]
    is_composite: bool

    def __str__(self) -> str:
        return ("||" if self.is_composite else "") + instance_name(self.name, self.values)


_EVERYTHING = _Target(DEFAULT, (), is_composite=False)


class FspModel:
    """A model in FSP. Processes are elaborated when they are asked about."""

    #: fair choice, as LTSA has it
    default_fairness = "sgf"

    def __init__(
        self, source: Source, definitions: Mapping[str, str], tools: MachineTools, folder: Path
    ) -> None:
        read, missing, unread = _read(source)
        self._declarations = Declarations(read, definitions, missing)
        comment = unclosed_comment(source)
        if comment is not None:
            problem = "this comment is never closed: it goes to the end of the text"
            self._declarations.warn(Code.SYNTAX, problem, comment)
        self._tools = tools
        self._processes = Processes(self._declarations, tools, folder)
        self._networks: dict[tuple[str, tuple[FluentRule, ...]], Network] = {}
        self._compositions: dict[_Target, Composition] = {}
        self.warnings: list[Diagnostic] = self._declarations.warnings
        self._assertions: list[Assertion] | None = None
        problems = (*unread, *self._declarations.problems)
        if problems:
            raise self.with_all_problems(InputError(problems))

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """FSP has none."""
        raise no_annotations("FSP")

    def with_all_problems(self, error: InputError) -> InputError:
        """An error of the text, with all others that the text has."""
        from fairlead.lang.fsp.problems import all_problems  # rarely needed

        return all_problems(error, self._declarations, self._processes, self._tests_of)

    # ------------------------------------------------------------ targets

    @property
    def targets(self) -> list[str]:
        """The composite processes, or the one made of everything."""
        return [f"||{name}" for name in self._declarations.composites] or [DEFAULT]

    def process_name(self, process: str | None) -> str:
        """The full name of a process that is asked about: `||S` for a composite one."""
        return str(self._target(process))

    def _target(self, process: str | None) -> _Target:
        declared = self._declarations
        if process is None:
            targets = self.targets
            if len(targets) > 1:
                known = ", ".join(targets)
                raise input_error(Code.USAGE, f"which process is meant? The model has {known}")
            process = targets[0]
        match = _PROCESS.fullmatch(process)
        if match is not None:
            name, values = match["name"], _values(match["arguments"])
            if name in declared.composites:
                return _Target(name, values, is_composite=True)
            if declared.is_primitive(name) and not match["bars"]:
                return _Target(name, values, is_composite=False)
            if name == DEFAULT and not declared.composites:
                return _EVERYTHING
        hint = nearest(process.strip("| "), [*declared.composites, *declared.processes])
        raise unknown_process(process, None, hint)

    def composition(self, process: str | None) -> Composition:
        """The machines of a process, side by side."""
        target = self._target(process)
        if target not in self._compositions:
            if target == _EVERYTHING:
                found, nothing = self._processes.everything(DEFAULT), "the model has no process"
            else:
                found = self._processes.target(target.name, target.values, is_composite=target.is_composite)
                nothing = f"there is nothing in '{target}'"
            if not found.machines:
                raise input_error(Code.USAGE, nothing)
            self._compositions[target] = found
        return self._compositions[target]

    # ------------------------------------------------------------ LoadedModel

    @property
    def assertions(self) -> Sequence[Assertion]:
        """Safety, progress and the asserts, for each composite process."""
        if self._assertions is None:
            self._assertions = [question for target in self.targets for question in self.asked_of(target)]
        return self._assertions

    def asked_of(self, process: str) -> list[Assertion]:
        """Safety, progress and the asserts of one process."""
        target = self.process_name(process)
        found: list[Assertion] = [Safe(target, f"{target} safety", span=self._place(target))]
        try:
            self.composition(target)
        except (InputError, LimitReached):
            return found  # the first question will tell
        tests = self._tests()
        found += [self._progress(target, test) for test in tests] or [self._default_progress(target)]
        for name, definition in self._declarations.asserts.items():
            if not definition.is_constraint:
                scope = instance_scope(self._declarations, name, definition.parameters, (), definition.span)
                asserted = self._satisfies(target, name, definition.formula, scope)
                found.append(replace(asserted, span=definition.span))
        return found

    def _place(self, process: str) -> Span | None:
        """Where a composite process is defined."""
        definition = self._declarations.composites.get(self._target(process).name)
        return None if definition is None else definition.span

    def assertion(self, text: str) -> Assertion:
        """`S safety`, `S progress P`, `S |= formula` and similar assertions."""
        match = _QUESTION.fullmatch(text)
        if match is None:
            span = Source("assertion", text).span(0, len(text))
            expected = "'S safety', 'S progress P', 'S |= formula', 'S deadlockfree' or 'S refines T'"
            raise input_error(Code.SYNTAX, f"expected {expected}", span, formula_hint(text))
        target = self.process_name(match["process"])
        if match["simple"]:
            return _SIMPLE[match["simple"]](target, f"{target} {match['simple']}")
        if match["progress"]:
            return self._progress_named(target, match["progress"])
        if match["specification"]:
            kind = Refinement(match["refinement"] or "T")
            specification = self.process_name(match["specification"])
            return Refines(target, f"{target} {kind.word} {specification}", kind, specification)
        return self.formula(match["formula"].strip(), target)

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A formula in the notation of FSP, about a process."""
        source = Source("formula", text)
        shown = " ".join(text.split())
        formula = parse_formula(source, 0, len(text))
        return self._satisfies(self.process_name(process), shown, formula, self._declarations.globals)

    def branching(self, text: str, process: str | None, finite_paths: bool) -> SatisfiesBranching:
        """A formula of CTL or CTL* about a process; its system has the fluents that the formula names."""
        target = self.process_name(process)
        formula = FormulaText(Source("formula", text), 0, len(text))
        system = self._network(target, fluents_in(self._declarations, (text,)))
        shown = f"{target} |= {' '.join(text.split())}"
        return SatisfiesBranching(target, shown, formula, finite_paths, system)

    def vocabulary(self, question: Assertion, texts: Sequence[str] = ()) -> FspVocabulary:
        """The names of the process that is asked about, and the fluents of the question and of the texts."""
        target = self.process_name(question.process)
        own = question.own_system
        watched = [variable.name for variable in own.variables] if isinstance(own, Network) else []
        fluents = fluents_in(self._declarations, [*watched, *texts])
        system = self._network(target, fluents)
        return FspVocabulary(self._declarations, self.composition(target), target, system, fluents)

    def system(self, process: str | None) -> Network:
        """The composition of a process; nothing is hidden in it that the process itself hides."""
        return self._network(process, ())

    def presented(self, process: str | None) -> Network:
        """The same as the process shows itself to others: hidden, minimal, deterministic, as it says."""
        found = self.composition(process)
        if found.is_plain:
            return self._network(process, ())
        if found.only_hides or not any(vars(found.modifiers).values()):
            return network_of(privately(found, f"{found.name} as shown"))
        return network_of(Composition(f"{found.name} as shown", (self._processes.built(found),)))

    def coverable(self, processes: Sequence[str]) -> tuple[Definition, ...]:
        """The primitive processes, without those that minimisation or a similar operation has merged."""
        machines = [machine for process in processes for machine in self.composition(process).machines]
        merged = frozenset[Span]().union(*(machine.merged for machine in machines))
        return coverable(self._declarations.processes.values(), merged)

    def reduced(
        self,
        process: str | None,
        visible: frozenset[str] | None,
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Network | None:
        """The processes composed one after the other, each part made small at once.

        Priorities are decided on the whole composition, so that parts cannot be taken by themselves there.
        """
        found = self.composition(process)
        if found.priority is not None:
            return None
        kept = frozenset(found.alphabet) - found.hidden if visible is None else visible
        name = f"{found.name} showing {', '.join(sorted(kept)) or 'nothing'}"
        machine = self._tools.reduced(name, found.machines, kept, tick, most)
        return network_of(Composition(name, (machine,)))

    def specification(self, name: str) -> Network:
        """The system of another process."""
        return self.system(name)

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        """There are none: states of FSP have no names."""
        return {}

    # ------------------------------------------------------------ progress

    def _tests(self) -> list[ProgressTest]:
        return [
            test for definition in self._declarations.progress.values() for test in self._tests_of(definition)
        ]

    def _tests_of(self, definition: ProgressDefinition) -> list[ProgressTest]:
        found = []
        for values, scope in each(definition.indices, self._declarations.globals):
            scope = scope if definition.indices else scope.loose()
            condition = None
            if definition.condition is not None:
                condition = frozenset(label_texts(definition.condition, scope))
            actions = frozenset(label_texts(definition.actions, scope))
            found.append(ProgressTest(".".join([definition.name, *map(str, values)]), actions, condition))
        return found

    def _progress(self, target: str, test: ProgressTest) -> Assertion:
        known = set(self.composition(target).alphabet)
        place = self._declarations.progress[test.name.partition(".")[0]].span
        if not test.actions & known:
            shown = ", ".join(sorted(test.actions)[:3])
            problem = f"progress {test.name}: no process of {target} has any of its actions ({shown})"
            self._declarations.warn(Code.NO_EFFECT, problem, place)
        return Progresses(target, f"{target} progress {test.name}", test, span=place)

    def _default_progress(self, target: str) -> Assertion:
        alphabet = frozenset(self.composition(target).alphabet)
        return AllProgress(
            target, f"{target} progress {DEFAULT_PROGRESS}", alphabet, span=self._place(target)
        )

    def _progress_named(self, target: str, name: str) -> Assertion:
        tests = {test.name: test for test in self._tests()}
        if name in tests:
            return self._progress(target, tests[name])
        if name == DEFAULT_PROGRESS:
            return self._default_progress(target)
        hint = nearest(name, [*tests, DEFAULT_PROGRESS])
        raise input_error(Code.UNKNOWN_NAME, f"there is no progress property '{name}'", hint=hint)

    # ------------------------------------------------------------ formulas

    def _satisfies(self, target: str, name: str, formula: Formula, scope: Scope) -> Satisfies:
        elaborator = FormulaElaborator(self._declarations)
        text = f"X ({elaborator.text(formula, scope)})"
        rules = tuple(elaborator.fluents.values())
        meanings: dict[str, Meaning] = {
            atom: EventAtom(labels) for atom, labels in elaborator.actions.items()
        }
        for slot, rule in enumerate(rules):
            meanings[rule.name] = fluent_proposition(rule, slot)
        self._warn_of_unknown(target, elaborator)
        source = Source(f"assert {name}", text)
        return Satisfies(
            target,
            f"{target} |= {name}",
            FormulaText(source, 0, len(text)),
            self._network(target, rules),
            meanings,
            name,
            begins_after_first_step=True,
        )

    def _warn_of_unknown(self, target: str, elaborator: FormulaElaborator) -> None:
        known = set(self.composition(target).alphabet)
        sets = dict(elaborator.actions)
        for name, rule in elaborator.fluents.items():
            sets[name] = rule.initiating | rule.terminating
        for atom, labels in sets.items():
            if not labels & known:
                shown = ", ".join(sorted(labels)[:3])
                problem = f"no process of {target} has the action {shown}: it never happens"
                self._declarations.warn(
                    Code.NO_EFFECT, problem, elaborator.places.get(atom), nearest(sorted(labels)[0], known)
                )

    def _network(self, process: str | None, fluents: tuple[FluentRule, ...]) -> Network:
        target = self.process_name(process)
        if (target, fluents) not in self._networks:
            self._networks[target, fluents] = network_of(self.composition(target), fluents)
        return self._networks[target, fluents]


def _read(source: Source) -> tuple[tuple[SyntaxDefinition, ...], frozenset[str], tuple[Diagnostic, ...]]:
    """The definitions that can be read, the names that the others may declare, and the problems in those."""
    try:
        return parse(source), frozenset(), ()
    except NotRead as error:
        return error.definitions, error.missing, error.diagnostics


def _values(arguments: str | None) -> tuple[Value, ...]:
    """The arguments of a process that is asked about: integers, or labels with or without their quote."""
    if arguments is None or not arguments.strip():
        return ()
    return tuple(as_value(text.strip().removeprefix("'")) for text in arguments.split(","))
