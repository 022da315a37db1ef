"""What one run of `fairlead check` has found, as a value: every report is made from it alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from fairlead.base.diagnostics import Diagnostic, FairleadError, LimitReached
from fairlead.base.records import dataclass
from fairlead.checker.result import Result
from fairlead.model.assertion import Assertion


@dataclass(frozen=True)
class Failure:
    """Why there is no answer: to one question, or, if there is none, to any."""

    error: FairleadError
    question: Assertion | None = None

    @property
    def is_limit(self) -> bool:
        """Whether a limit was reached, and the question is not wrong."""
        return isinstance(self.error, LimitReached)


@dataclass(frozen=True)
class Record:
    """The answers about one model, the questions without one, and what there was to warn of.

    `folder` is where the command ran: names of files are relative to it.
    """

    model: str
    folder: Path
    definitions: Mapping[str, str] = field(default_factory=dict)
    results: tuple[Result, ...] = ()
    failures: tuple[Failure, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
