"""Resolves names in formulas about a process of an FSP model: actions, fluents, processes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce

from fairlead.base.diagnostics import Code, Diagnostic, InputError, input_error, nearest
from fairlead.base.source import Span
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.formulas import FormulaElaborator
from fairlead.lang.fsp.names import read_name, read_processes
from fairlead.lang.subject import no_process, no_subject, read_subject, same_but_blanks, several_copies
from fairlead.model.assertion import AtomText, EventAtom, Meaning, ProcessAtom, StepAtom
from fairlead.model.composition import Composition, FluentRule
from fairlead.model.expression import Binary, Expression, Operator
from fairlead.model.machine_network import fluent_proposition, process_names
from fairlead.model.network import Network
from fairlead.model.system import Proposition
from fairlead.model.types import Type


class FspVocabulary:
    """The names in formulas about one process; its network has the fluents that they name."""

    def __init__(
        self,
        declarations: Declarations,
        composition: Composition,
        target: str,
        network: Network,
        fluents: Sequence[FluentRule],
    ) -> None:
        self.system = network
        self._declarations = declarations
        self._composition = composition
        self._target = target
        self._slots = {rule.name: slot for slot, rule in enumerate(fluents)}

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        return frozenset(self._composition.alphabet)

    @cached_property
    def _processes(self) -> list[str]:
        return process_names(self._composition)

    def meaning(self, atom: AtomText) -> Meaning:
        """A fluent (with several values in its indices, that one of them is true), or else some actions."""
        if atom.is_comparison:
            problem = f"'{atom.text}': states of FSP have no variables that could be compared"
            hint = 'an action with an index is written a.1, or "a[1]" in quotes'
            raise input_error(Code.UNSUPPORTED, problem, atom.span, hint)
        if atom.text in self._alphabet:
            return EventAtom.of(atom.text)
        found = self._read(atom.text, atom.span)
        if not found.fluents:
            return self._event(found, atom.span)
        for rule in found.fluents.values():
            self._warn_of_unknown(rule.initiating | rule.terminating, atom.span)
        true = [fluent_proposition(rule, self._slots[name]).meaning for name, rule in found.fluents.items()]
        return Proposition(atom.text, reduce(_either, true))

    def subject(self, text: str, span: Span | None) -> StepAtom:
        """One or several processes of the composition, or else some actions."""
        asked = read_subject(text)
        if asked.may_be_process:
            process = self._process(asked.name, span)
            if process is not None:
                return process
        if not asked.may_be_event:
            raise no_process(asked.name, self._target, self._processes, span)
        if asked.name in self._alphabet:
            return EventAtom.of(asked.name)
        if asked.name.isidentifier() and asked.name[0].isupper() and not self._is_declared(asked.name):
            raise no_subject(asked.name, [*self._processes, *self._declarations.processes], span)
        found = self._read(asked.name, span)
        if found.fluents:
            problem = f"'{asked.name}' is a fluent, not a process or an action"
            raise input_error(Code.TYPE, problem, span)
        return self._event(found, span)

    # ------------------------------------------------------------ actions and fluents

    def _read(self, text: str, span: Span | None) -> FormulaElaborator:
        try:
            return read_name(self._declarations, text)
        except InputError as error:
            problem = error.diagnostics[0]
            raise input_error(problem.code, problem.message, span, problem.hint) from None

    def _is_declared(self, name: str) -> bool:
        return name in self._declarations.fluents or self._declarations.has_set(name)

    def _event(self, found: FormulaElaborator, span: Span | None) -> EventAtom:
        labels = frozenset[str]().union(*found.actions.values())
        self._warn_of_unknown(labels, span)
        return EventAtom(labels)

    def _warn_of_unknown(self, labels: frozenset[str], span: Span | None) -> None:
        if labels and labels.isdisjoint(self._alphabet):
            shown = ", ".join(sorted(labels)[:3])
            problem = f"no process of {self._target} has the action {shown}: it never happens"
            self._declarations.warn(Code.NO_EFFECT, problem, span, nearest(min(labels), self._alphabet))

    # ------------------------------------------------------------ processes

    def _process(self, name: str, span: Span | None) -> ProcessAtom | None:
        """The processes that are meant, if the name is that of some."""
        exact = same_but_blanks(name, self._processes)
        try:
            names = [exact] if exact is not None else read_processes(self._declarations, name)
        except InputError:
            return None  # it may be an action
        found = [one for one in self._processes if one in names]
        if not found:
            if not names or self._declarations.has_set(name):
                return None
            raise no_process(name, self._target, self._processes, span)
        for one in () if "#" in name else found:
            self._warn(several_copies(one, self._processes, span))
        return ProcessAtom(frozenset(found))

    def _warn(self, warning: Diagnostic | None) -> None:
        if warning is not None and warning not in self._declarations.warnings:
            self._declarations.warnings.append(warning)


def _either(left: Expression, right: Expression) -> Expression:
    return Binary(Operator.OR, left, right, Type.BOOL)
