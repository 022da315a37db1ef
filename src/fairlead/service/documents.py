"""Represents documents as an editor has them, and what is known about them.

A workspace holds the open documents, which stand for the files on disk, and remembers what was found out
about each text: an answer depends on the texts alone, so it is the same however a text came about.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from fairlead.base.diagnostics import FairleadError
from fairlead.base.files import Stamp, overlaid, read_text, recorded_reads, stamp_of
from fairlead.base.records import dataclass
from fairlead.lang.editing import Analysis, Editing, Symbol
from fairlead.lang.included_files import find_included
from fairlead.lang.registry import SUFFIXES, editing_of
from fairlead.service.positions import Lines, Range, Units

#: so many answers are remembered
REMEMBERED = 8
Found = TypeVar("Found")


@dataclass(frozen=True)
class Change:
    """A new text for a range of a document, or for all of it."""

    text: str
    range: Range | None = None


@dataclass(frozen=True)
class Document:
    """A text under the path of a file, be it saved or not."""

    path: Path
    text: str = field(repr=False)
    version: int = 0
    units: Units = Units.UTF16

    @property
    def suffix(self) -> str:
        """What the language is known by."""
        return self.path.suffix.lower()

    @property
    def is_model(self) -> bool:
        """Whether it is in a language that is known."""
        return self.suffix in SUFFIXES

    @cached_property
    def lines(self) -> Lines:
        """Its lines, for positions."""
        return Lines(self.text, self.units)

    def changed(self, changes: Iterable[Change], version: int) -> Document:
        """The document after changes, each made in what the one before has left."""
        text = self.text
        for change in changes:
            if change.range is None:
                text = change.text
                continue
            lines = Lines(text, self.units)
            start, end = lines.offset(change.range.start), lines.offset(change.range.end)
            text = text[:start] + change.text + text[max(start, end) :]
        text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        return Document(self.path, text, version, self.units)


class Remembered:
    """The last answers, by what they depend on: a key, and the files that were read for them.

    Several threads can use it. An answer that two of them want at once may be made twice.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._found: OrderedDict[object, tuple[object, Mapping[Path, Stamp]]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: object, make: Callable[[], Found]) -> Found:
        """The answer under a key, made if it is not there, or if a file has changed on disk since."""
        with self._lock:
            known = self._found.get(key)
            if known is not None:
                self._found.move_to_end(key)
        if known is not None and all(stamp_of(path) == stamp for path, stamp in known[1].items()):
            return known[0]  # type: ignore[return-value]
        with recorded_reads() as reads:
            found = make()
        with self._lock:
            self._found[key] = found, dict(reads)
            if len(self._found) > self._most:
                self._found.popitem(last=False)
        return found


class Workspace:
    """The open documents over the files on disk. Only one thread may change it; others take a `snapshot`."""

    def __init__(self, units: Units = Units.UTF16) -> None:
        self._units = units
        self._open: dict[Path, Document] = {}
        self._analyses = Remembered()
        self._answers = Remembered()

    def snapshot(self) -> Workspace:
        """The documents as they are now, for another thread; what is found out is remembered by both."""
        other = Workspace(self._units)
        other._open = dict(self._open)
        other._analyses, other._answers = self._analyses, self._answers
        return other

    # ------------------------------------------------------------ documents

    def open(self, path: Path, text: str, version: int = 0) -> Document:
        """Takes a text in the place of a file."""
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        self._open[path.resolve()] = Document(path.resolve(), plain, version, self._units)
        return self._open[path.resolve()]

    def change(self, path: Path, changes: Iterable[Change], version: int) -> Document:
        """Changes an open document; a `KeyError` if it is not open."""
        self._open[path.resolve()] = self._open[path.resolve()].changed(changes, version)
        return self._open[path.resolve()]

    def close(self, path: Path) -> None:
        """From now on the file on disk counts."""
        self._open.pop(path.resolve(), None)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The open documents."""
        return tuple(self._open.values())

    def document(self, path: Path) -> Document | None:
        """An open document, or that of a file on disk; None if it cannot be read."""
        resolved = path.resolve()
        if resolved in self._open:
            return self._open[resolved]
        try:
            return Document(resolved, read_text(resolved), 0, self._units)
        except FairleadError:
            return None

    @property
    def texts(self) -> Mapping[Path, str]:
        """The texts that stand for files."""
        return {path: document.text for path, document in self._open.items()}

    @contextmanager
    def overlay(self) -> Iterator[None]:
        """Inside, the open documents stand for the files on disk, for every reader."""
        with overlaid(self.texts):
            yield

    # ------------------------------------------------------------ what is known

    def editing(self, document: Document) -> Editing | None:
        """What can be asked about texts in the language of a document."""
        return editing_of(document.suffix)

    def analysis(self, document: Document) -> Analysis | None:
        """The names and tokens of a document; None for files that are not written by hand."""
        editing = self.editing(document)
        if editing is None:
            return None
        included = self.included(document)
        key = document.suffix, document.text, tuple((other.path, other.text) for other in included)

        def known(name: str) -> Symbol | None:
            for other in included:
                symbol = self._alone(other, editing).outer.get(name)
                if symbol is not None:
                    return symbol
            return None

        return self._analyses.get(key, lambda: editing.analyse(document.text, known))

    def _alone(self, document: Document, editing: Editing) -> Analysis:
        key = document.suffix, document.text
        return self._analyses.get(key, lambda: editing.analyse(document.text, lambda _: None))

    def included(self, document: Document) -> tuple[Document, ...]:
        """The files that a document includes, and those that they include, each once."""
        editing = self.editing(document)
        if editing is None or "#include" not in document.text.replace(" ", ""):
            return ()
        root = document.path.parent
        found: dict[Path, Document] = {}
        waiting = [document]
        with self.overlay():
            while waiting:
                one = waiting.pop(0)
                for _, written in self._alone(one, editing).includes:
                    path = find_included(written, one.path.parent, root)
                    other = None if path is None or not path.is_relative_to(root) else self.document(path)
                    if other is not None and path not in found and other.path != document.path:
                        found[other.path] = other
                        waiting.append(other)
        return tuple(found.values())

    def family(self, document: Document) -> tuple[Document, ...]:
        """The document, what it includes, and the open documents that include it."""
        found = {document.path: document} | {other.path: other for other in self.included(document)}
        for other in self._open.values():
            around = {one.path: one for one in self.included(other)}
            if document.path in around:
                found |= {other.path: other} | around
        return tuple(found.values())

    def roots(self) -> tuple[Document, ...]:
        """The open documents that no other open one includes; of those that include each other, all."""
        covered = {path: {one.path for one in self.included(own)} for path, own in self._open.items()}
        inside = {path for path in covered if any(path in covered[one] for one in covered if one != path)}
        roots = [path for path in covered if path not in inside]
        reached = set[Path](roots).union(*(covered[root] for root in roots))
        return tuple(self._open[path] for path in (*roots, *(one for one in covered if one not in reached)))

    def remembered(self, question: str, document: Document, make: Callable[[], Found]) -> Found:
        """An answer that depends on the text of a document and on the files that are read for it."""
        graphs = (other for other in self._open.values() if self.editing(other) is None)
        used = tuple((other.path, other.text) for other in (*self.included(document), *graphs))
        return self._answers.get((question, document.path, document.text, used), make)
