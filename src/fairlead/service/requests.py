"""What a job is asked, as a value that goes to another process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from fairlead.base.files import Confinement
from fairlead.base.records import dataclass
from fairlead.lang.editing import Extent
from fairlead.outcome.limits import Limits
from fairlead.service.documents import Document, Workspace


class JobKind(StrEnum):
    """What jobs do; the value is the name of the command that does the same.

    A `SESSION` is a simulation that gets commands while it runs (`stepping.py`); `PROBLEMS` are those
    of a text, for whom they have to be found in a process of its own.
    """

    CHECK = "check"
    ADVISE = "advise"
    COVERAGE = "coverage"
    GRAPH = "graph"
    SIMULATE = "simulate"
    SESSION = "session"
    PROBLEMS = "problems"


class QuestionPlace(NamedTuple):
    """A part of a file in which questions stand."""

    path: str
    at: Extent


#: what a job may use unless other limits are given
DEFAULT_LIMITS = Limits(max_states=5_000_000, max_memory=2 << 30, timeout=60.0)


@dataclass(frozen=True)
class Request:
    """A job about a text.

    `questions` are assertions as text, or their numbers in the model, from 1; `places` are parts of the text,
    or of a file that it includes, whose assertions are asked; without any, all of the model are. `fairness`
    names notions as `--fairness` does. `commands` are those of `fairlead simulate`, which follows the run
    of the result `replay`, if there is one; `why` names an event that is not enabled then. `texts` stand for
    the files that the model includes. With `shown`, answers come as text and as a part of a page, too.

    `definitions` are other values for constants. `python` are files with types for the model, which are run.
    With a `folder`, nothing outside of it is read but these.
    """

    kind: JobKind
    path: str
    text: str = field(repr=False)
    questions: tuple[str, ...] = ()
    places: tuple[QuestionPlace, ...] = ()
    fairness: str | None = None
    fair: str | None = None
    process: str | None = None
    commands: tuple[str, ...] = ()
    why: str | None = None
    replay: Mapping[str, Any] | None = field(default=None, repr=False)
    values: bool = False
    limits: Limits = DEFAULT_LIMITS
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    shown: bool = False
    definitions: Mapping[str, str] = field(default_factory=dict)
    python: tuple[str, ...] = ()
    folder: str | None = None

    def to_line(self) -> str:
        """The request in one line."""
        data = {**asdict(self), "kind": self.kind.value, "texts": dict(self.texts), "replay": self.replay}
        return json.dumps({**data, "definitions": dict(self.definitions)})

    @staticmethod
    def of_line(line: str) -> Request:
        """The request that a line is."""
        data: dict[str, Any] = json.loads(line)
        data["kind"] = JobKind(data["kind"])
        data["limits"] = Limits(**data["limits"])
        data["places"] = tuple(QuestionPlace(path, Extent(*extent)) for path, extent in data["places"])
        return Request(**data | {name: tuple(data[name]) for name in ("questions", "commands", "python")})

    @property
    def file(self) -> Path:
        """The file that the text stands for."""
        return Path(self.path)

    @property
    def confinement(self) -> Confinement | None:
        """What may be read."""
        if self.folder is None:
            return None
        return Confinement(Path(self.folder), frozenset(Path(file).resolve() for file in self.python))


def request(
    workspace: Workspace, document: Document, kind: JobKind, questions: Sequence[str] = (), **given: Any
) -> Request:
    """A job about a document as it is now; what is given besides are fields of `Request`."""
    texts = {str(path): text for path, text in workspace.texts.items()}
    return Request(kind, str(document.path), document.text, tuple(questions), texts=texts, **given)
