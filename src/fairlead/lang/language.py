"""What every language gives: assertions, systems, and the meaning of names in formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from fairlead.base.diagnostics import Diagnostic, InputError
from fairlead.base.source import Span
from fairlead.model.annotation import Annotated
from fairlead.model.assertion import Assertion, AtomText, Meaning, Satisfies, SatisfiesBranching, StepAtom
from fairlead.model.coverable import Definition
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network
from fairlead.model.system import Proposition


class Vocabulary(Protocol):
    """What the names in formulas about one system mean."""

    @property
    def system(self) -> Network | ExplicitGraph:
        """The system in which the names have these meanings."""
        ...

    def meaning(self, atom: AtomText) -> Meaning:
        """What an atom of a formula stands for."""
        ...

    def subject(self, text: str, span: Span | None) -> StepAtom:
        """The process or event that the text in `enabled(text)` and `executed(text)` names."""
        ...


class LoadedModel(Protocol):
    """A model file, read and checked."""

    @property
    def assertions(self) -> Sequence[Assertion]:
        """What the file itself asks."""
        ...

    @property
    def default_fairness(self) -> str:
        """The notion of fairness under which formulas are meant unless another is asked for."""
        ...

    @property
    def warnings(self) -> list[Diagnostic]:
        """What is worth knowing; grows as the model is used."""
        ...

    def with_all_problems(self, error: InputError) -> InputError:
        """An error that was met while the model was used, with all others that its text has."""
        ...

    def process_name(self, process: str | None) -> str:
        """How a process (or the only one asked about, if None) is called in assertions."""
        ...

    def asked_of(self, process: str) -> Sequence[Assertion]:
        """What the file asks about one process."""
        ...

    def assertion(self, text: str) -> Assertion:
        """A question in the language's own notation."""
        ...

    def formula(self, text: str, process: str | None) -> Satisfies:
        """A question that is just a formula; `process` is needed where the model has several."""
        ...

    def branching(self, text: str, process: str | None, finite_paths: bool) -> SatisfiesBranching:
        """A question that is just a formula of CTL or CTL*."""
        ...

    def vocabulary(self, question: Assertion, texts: Sequence[str] = ()) -> Vocabulary:
        """What the names in the formula of a question mean, and those in other formulas used with it.

        The texts are those of the other formulas, such as one that says which executions are fair. The
        system is that of the question, extended so that the names in them can be judged.
        """
        ...

    def system(self, process: str | None) -> Network | ExplicitGraph:
        """The system of a process (or of the only one asked about, if None)."""
        ...

    def presented(self, process: str | None) -> Network | ExplicitGraph:
        """The system of a process as it shows itself to others, for drawings and files."""
        ...

    def coverable(self, processes: Sequence[str]) -> Sequence[Definition]:
        """What of the text the steps of these processes can execute, once their states are known."""
        ...

    def reduced(
        self,
        process: str | None,
        visible: frozenset[str] | None,
        tick: Callable[[], None],
        most: int | None = None,
    ) -> Network | ExplicitGraph | None:
        """A small system with the same deadlocks, errors and progress, composed part by part.

        All but the `visible` events (if None, those that the process shows) are internal in it. None, if the
        process has no parts, or they cannot be taken by themselves. Raises `LimitReached` if a part has more
        than `most` states before it is minimised.
        """
        ...

    def specification(self, name: str) -> Network | ExplicitGraph:
        """The system that a refinement names as its specification."""
        ...

    def annotated(self, annotations: Sequence[Annotated]) -> str:
        """The text of the model with these annotations; raises `InputError` where they cannot be written."""
        ...

    @property
    def propositions(self) -> Mapping[str, Proposition]:
        """The named state propositions of the model."""
        ...
