"""Gives the atoms of formulas to the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from fairlead.engine import _native
from fairlead.engine.annotations import EngineAnnotations
from fairlead.model.assertion import Enabled, EventAtom, Meaning, MemberMove, ProcessAtom, Ready, StepAtom
from fairlead.model.system import Proposition


class EngineAtoms:
    """Atoms of one question, numbered as they are added.

    `code_of` gives the engine's number of a proposition of the system; `annotations` are needed for
    readiness.
    """

    def __init__(
        self,
        graph: _native.Graph,
        code_of: Callable[[Proposition], int],
        annotations: EngineAnnotations | None = None,
    ) -> None:
        self.graph = graph
        self._annotations = annotations
        self._code_of = code_of
        self.native = _native.Atoms(graph, None if annotations is None else annotations.native)

    def add(self, meaning: Meaning) -> int:
        """The number of an atom that was not there before."""
        match meaning:
            case Proposition():
                return self.native.add_own(self._code_of(meaning))
            case EventAtom() | ProcessAtom():
                return self.native.add_step(*_names(meaning))
            case MemberMove(process, enters):
                return self.native.add_entered(process) if enters else self.native.add_left(process)
            case Enabled(subject):
                return self.native.add_enabled(*_names(subject))
            case Ready(annotated):
                assert self._annotations is not None, "readiness is known from annotations"
                return self.native.add_ready(self._annotations.number(annotated))
            case _:
                assert_never(meaning)


def _names(subject: StepAtom) -> tuple[list[str], list[str]]:
    """The labels and the processes of a step atom."""
    if isinstance(subject, EventAtom):
        return sorted(subject.labels), []
    return [], sorted(subject.processes)
