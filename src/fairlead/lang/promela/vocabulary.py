"""Gives names in formulas about a Promela model their meaning: expressions, processes, steps."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.source import Source, Span
from fairlead.lang.promela.elaborate.building import Elaborated
from fairlead.lang.promela.elaborate.expressions import Expressions
from fairlead.lang.promela.parse import Parser
from fairlead.lang.subject import no_process, read_subject, without_blanks
from fairlead.model.assertion import AtomText, EventAtom, Meaning, ProcessAtom, StepAtom
from fairlead.model.network import Network
from fairlead.model.system import Proposition

#: the beginning of what steps are called
_STEP = "proc "


class PromelaVocabulary:
    """The names in formulas about a model."""

    def __init__(self, parser: Parser, elaborated: Elaborated) -> None:
        self.system: Network = elaborated.network
        self._parser = parser
        self._elaborated = elaborated

    def meaning(self, atom: AtomText) -> Meaning:
        """A condition over the variables; a text in quotes may also be a step."""
        if atom.is_quoted and atom.text.startswith(_STEP):
            return EventAtom.of(atom.text)
        try:
            expression = self._parser.formula(Source("formula", atom.text))
            found = Expressions(self._elaborated.world).condition(expression)
        except InputError as error:
            problem = error.diagnostics[0]
            raise input_error(problem.code, problem.message, atom.span, problem.hint) from None
        return Proposition(atom.text, found)

    def subject(self, text: str, span: Span | None) -> StepAtom:
        """A process, all processes of a proctype, or a step."""
        asked = read_subject(text)
        if asked.may_be_process:
            names = self._processes(asked.name)
            if names:
                return ProcessAtom(frozenset(names))
        if asked.may_be_event and asked.name.startswith(_STEP):
            return EventAtom.of(asked.name)
        if not asked.may_be_process:
            message = f"'{asked.name}' is neither a process nor a step"
            hint = 'steps are called as counterexamples show them: "proc 0 (P:1) model.pml:3 [x = 1]"'
            raise input_error(Code.UNKNOWN_NAME, message, span, hint)
        known = [member.name for member in self._elaborated.world.members]
        raise no_process(asked.name, "system", known, span)

    def _processes(self, name: str) -> list[str]:
        wanted = without_blanks(name)
        return [
            member.name
            for member in self._elaborated.world.members
            if member.name == wanted
            or any(wanted in (one.name, one.proctype.name) for one in member.instances)
        ]
