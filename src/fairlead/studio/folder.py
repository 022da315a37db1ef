"""The folder of models that the studio shows: what is in it is read and written, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.base.files import read_text
from fairlead.base.records import dataclass
from fairlead.base.writing import write_whole
from fairlead.lang.registry import SUFFIXES

#: as many models are listed, and folders are searched as deep as that
MOST_FILES, DEEPEST = 2_000, 8
#: no text of a model is longer than this
LONGEST = 4 << 20
_IGNORED = frozenset(("node_modules", "__pycache__", "build", "dist"))


class Refused(Exception):
    """The request cannot be granted; the text is for people, `status` for programs."""

    def __init__(self, message: str, status: int = 400, **details: Any) -> None:
        super().__init__(message)
        self.message, self.status, self.details = message, status, details


@dataclass(frozen=True)
class Saved:
    """A text on disk, and what tells it from others."""

    text: str
    version: str


def version_of(text: str) -> str:
    """What tells a text from others."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


_NO_NAME = "this is not the name of a model"
_OUTSIDE = "a model has to be below the folder of the studio"


def no_model(name: object) -> Refused:
    """There is none of this name."""
    return Refused(f"there is no model '{name}'", 404)


def checked_text(text: object) -> str:
    """The text of a model, which has to be one."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise Refused("expected a text that is not too long", 413)
    return text


class Folder:
    """A folder; with `only`, one model in it and what stands below."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def path(self, name: object) -> Path:
        """The file of a name such as `ring/peterson.csp`; it is below the folder, also behind links."""
        if not isinstance(name, str) or not name or len(name) > 1000 or "\0" in name or "\\" in name:
            raise Refused(_NO_NAME)
        parts = name.split("/")
        if name.startswith("/") or any(part in ("", ".", "..") or ":" in part for part in parts):
            raise Refused(_OUTSIDE, 403)
        try:
            path = self.root.joinpath(*parts).resolve()
        except (OSError, RuntimeError, ValueError):
            raise Refused(_NO_NAME) from None
        if not self.has(path):
            raise Refused(_OUTSIDE, 403)
        if path.suffix.lower() not in SUFFIXES:
            raise Refused(f"models end with {', '.join(SUFFIXES)}")
        return path

    def has(self, path: Path) -> bool:
        """Whether a resolved path is below the folder."""
        return path != self.root and path.is_relative_to(self.root)

    def name(self, path: Path) -> str:
        """How a file is called."""
        return path.relative_to(self.root).as_posix()

    def names(self) -> list[str]:
        """The models, those of each folder together."""
        return sorted(self._names(), key=lambda name: (name.count("/") > 0, name.lower()))[:MOST_FILES]

    def _names(self) -> Iterator[str]:
        count = 0
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            depth = len(here.relative_to(self.root).parts)
            folders[:] = sorted(
                name for name in folders if depth < DEEPEST and name not in _IGNORED and name[0] != "."
            )
            for name in sorted(files):
                path = here / name
                if path.suffix.lower() in SUFFIXES and name[0] != "." and self._is_shown(path):
                    yield self.name(path)
                    count += 1
            if count >= MOST_FILES:
                return

    def _is_shown(self, path: Path) -> bool:
        try:
            found = path.resolve()
            if not (self.has(found) and found.is_file()) or found.stat().st_size > LONGEST:
                return False
            return path.suffix.lower() != ".json" or _is_graph(found)
        except (OSError, RuntimeError):
            return False

    def read(self, name: object) -> Saved:
        """The text of a model."""
        path = self.path(name)
        if not path.is_file():
            raise no_model(name)
        if path.stat().st_size > LONGEST:
            raise Refused(f"'{name}' is too large for the studio", 413)
        try:
            text = read_text(path)
        except FairleadError as error:
            raise Refused(error.diagnostics[0].message) from None
        return Saved(text, version_of(text))

    def write(self, name: object, text: object, version: object) -> Saved:
        """Saves a text in the place of the one that was read as `version`; None is for a new model.

        A file that another program has changed meanwhile stays as it is.
        """
        path = self.path(name)
        wanted = checked_text(text)
        found = self.read(name) if path.is_file() else None
        if found is not None and found.version != version:
            problem = "there is a model of this name already" if version is None else "it has changed on disk"
            raise Refused(f"'{name}' was not saved: {problem}", 409, text=found.text, version=found.version)
        if path.is_dir():
            raise Refused(f"'{name}' is a folder")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, wanted)
        except FairleadError as error:
            raise Refused(error.diagnostics[0].message, 403) from None
        except OSError as error:
            raise Refused(f"cannot write '{name}': {error.strerror}", 403) from None
        plain = wanted.replace("\r\n", "\n").replace("\r", "\n")
        return Saved(plain, version_of(plain))


def _is_graph(path: Path) -> bool:
    """Whether a file looks like a graph: other programs write JSON as well."""
    with path.open("rb") as file:
        beginning = file.read(4096)
    return b'"transitions"' in beginning or b"fairlead/graph" in beginning
