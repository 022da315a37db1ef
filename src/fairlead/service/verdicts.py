"""What documents ask, and the verdicts about it, each for as long as the text that it depends on stays.

A verdict depends on the words of the model and of its question, not on comments, blanks or other questions.
So these can be edited freely, and a change that is undone brings the verdict back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairlead.base.files import stamp_of
from fairlead.base.records import dataclass
from fairlead.base.source import Source
from fairlead.lang.editing import Analysis, Extent, Question, SymbolKind, TokenKind
from fairlead.service.documents import Document, Workspace
from fairlead.service.jobs import ResultEvent, View
from fairlead.service.requests import QuestionPlace

#: verdicts about so many questions are kept
REMEMBERED = 500


@dataclass(frozen=True)
class Asked:
    """A question in a document; `basis` stands for all that its verdict depends on.

    The question is answered for the document `subject`: the one itself, or one that includes it.
    """

    question: Question
    path: Path
    subject: Path
    basis: str

    @property
    def place(self) -> QuestionPlace:
        """Where it stands, for a job."""
        return QuestionPlace(str(self.path), self.question.whole)


@dataclass(frozen=True)
class Verdict:
    """A result about a question, and the texts of the files when it was found."""

    result: dict[str, Any]
    shown: View | None
    texts: tuple[tuple[Path, str], ...]

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it from other verdicts on the same question: the assertion and what was assumed."""
        found = self.result
        return str(found["assertion"]), str(found["fairness"]), str(found.get("fair", ""))

    @property
    def verdict(self) -> str:
        """`holds`, `violated`, `unknown` or `error`."""
        return str(self.result["verdict"])

    @property
    def has_run(self) -> bool:
        """Whether there is a run to be shown."""
        return self.result.get("evidence") is not None


def asked(workspace: Workspace, document: Document) -> tuple[Asked, ...]:
    """What a document asks, in the order of its text."""
    analysis = workspace.analysis(document)
    if analysis is None or not analysis.questions:
        return ()
    subject = subject_of(workspace, document)
    words = _Words(workspace, subject)
    return tuple(
        Asked(question, document.path, subject.path, words.basis(document.path, question))
        for question in analysis.questions
    )


def basis_of_all(workspace: Workspace, document: Document) -> str:
    """What verdicts depend on that belong to no place, such as those about a composition of everything."""
    subject = subject_of(workspace, document)
    return _Words(workspace, subject).basis(subject.path, None)


def subject_of(workspace: Workspace, document: Document) -> Document:
    """The document that answers the questions of one: an open one that includes it, or itself."""
    roots = [root for root in workspace.roots() if root.path != document.path]
    around = (root for root in roots if any(one.path == document.path for one in workspace.included(root)))
    return next(around, document)


class _Words:
    """The words of a document and of all that it includes, declaration by declaration."""

    def __init__(self, workspace: Workspace, subject: Document) -> None:
        self._files: dict[Path, tuple[Analysis, dict[Extent, str]]] = {}
        self._rest: list[str] = [str(subject.path)]
        for document in (subject, *workspace.included(subject)):
            analysis = workspace.analysis(document)
            if analysis is None:  # a graph
                self._rest.append(document.text)
                continue
            self._files[document.path] = analysis, dict(_parts(analysis))
            self._rest += _imports(document, analysis)

    def basis(self, path: Path, question: Question | None) -> str:
        """The words that the verdict on a question depends on, in short."""
        unneeded = self._unneeded(path, question)
        digest = sha256("\0".join(self._rest).encode("utf-8", "surrogatepass"))
        for file, (_, parts) in self._files.items():
            for extent, words in parts.items():
                if extent not in unneeded.get(file, {}):
                    digest.update(b"\1" + words.encode("utf-8", "surrogatepass"))
        if question is not None and path in self._files:
            own = self._files[path][1].get(question.whole, "")
            digest.update(b"\2" + own.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def _unneeded(self, path: Path, question: Question | None) -> dict[Path, set[Extent]]:
        """The declarations that do not matter: other questions that this one does not name."""
        others: dict[Path, set[Extent]] = {}
        for file, (analysis, _) in self._files.items():
            others[file] = {one.whole for one in analysis.questions if one.only_asks}
        waiting = [] if question is None else [question.whole]
        own = self._files.get(path)
        while waiting and own is not None:
            for named in _assertions_named(own[0], waiting.pop()):
                if named in others[path]:
                    others[path].discard(named)
                    waiting.append(named)
        return others


def _parts(analysis: Analysis) -> Iterator[tuple[Extent, str]]:
    """The declarations with their words, and what stands between them."""
    pieces = [piece for piece in analysis.lexemes if piece.kind is not TokenKind.COMMENT]
    index = 0
    for part in (*analysis.parts, Extent(len(analysis.text), len(analysis.text))):
        start = index
        while index < len(pieces) and pieces[index].start < part.start:
            index += 1
        if index > start:
            yield Extent(pieces[start].start, part.start), " ".join(one.text for one in pieces[start:index])
        start = index
        while index < len(pieces) and pieces[index].start < part.end:
            index += 1
        yield part, " ".join(one.text for one in pieces[start:index])


def _imports(document: Document, analysis: Analysis) -> Iterator[str]:
    """What tells that a file has changed that a text takes as a process, such as a graph."""
    for symbol in analysis.symbols:
        text = analysis.text[symbol.whole.start : symbol.whole.end]
        if symbol.kind is SymbolKind.PROCESS and text.startswith("import"):
            for name in text.split('"')[1::2]:
                yield f"{name} {stamp_of(document.path.parent / name)}"


def _assertions_named(analysis: Analysis, part: Extent) -> Iterator[Extent]:
    """The declarations of assertions and fluents that are named in a part of the text."""
    for reference in analysis.references:
        symbol = reference.symbol
        if (
            symbol is not None
            and symbol.kind is SymbolKind.ASSERTION
            and part.start <= reference.at.start < part.end
        ):
            yield symbol.whole


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Advised:
    """Which fairness a question needs: the record of the answer, and how it is shown."""

    record: dict[str, Any]
    shown: View | None

    @property
    def title(self) -> str:
        """The answer in a few words."""
        sets = [found["text"] for found in self.record["sets"]]
        return f"needs {' or '.join(sets)}" if sets else str(self.record["outcome"])

    @property
    def formulas(self) -> tuple[str, ...]:
        """What can be assumed so that it holds, as formulas for `fair`."""
        return tuple(found["formula"] for found in self.record["sets"])


class Answers:
    """The questions of a document when a job about it began: says which of them a result is about."""

    def __init__(self, workspace: Workspace, subject: Document) -> None:
        documents = (subject, *workspace.included(subject))
        self.texts = tuple((document.path, document.text) for document in documents)
        self._sources = {document.path: Source(str(document.path), document.text) for document in documents}
        self._asked = {document.path: asked(workspace, document) for document in documents}
        self._all = basis_of_all(workspace, subject)

    def basis(self, result: dict[str, Any]) -> str:
        """The basis of the question that a result is about."""
        if "file" not in result:
            return self._all
        path = Path(result["file"])
        source = self._sources.get(path)
        if source is None:
            return self._all
        offset = offset_at(source, result["line"], result["column"])
        for one in self._asked[path]:
            if one.question.whole.start <= offset < one.question.whole.end:
                return one.basis
        return self._all


def offset_at(source: Source, line: int, column: int) -> int:
    """The offset of a place that a record names: line and column, both from 1."""
    return source.line_start(line) + column - 1


class Verdicts:
    """The last verdict on each question, for each notion of fairness that it was asked under."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._found: OrderedDict[str, dict[tuple[str, str, str], Verdict]] = OrderedDict()
        self._advice: OrderedDict[str, Advised] = OrderedDict()

    def note_advice(self, basis: str, advised: Advised) -> None:
        """Keeps what a question needs."""
        self._advice[basis] = advised
        if len(self._advice) > self._most:
            self._advice.popitem(last=False)

    def advice(self, basis: str) -> Advised | None:
        """What a question needs, if advice was asked for."""
        return self._advice.get(basis)

    def note(self, answers: Answers, event: ResultEvent) -> Verdict:
        """Keeps a result of a job."""
        verdict = Verdict(event.result, event.shown, answers.texts)
        basis = answers.basis(event.result)
        known = self._found.setdefault(basis, {})
        known.pop(verdict.name, None)
        known[verdict.name] = verdict
        self._found.move_to_end(basis)
        if len(self._found) > self._most:
            self._found.popitem(last=False)
        return verdict

    def of(self, basis: str) -> Sequence[Verdict]:
        """The verdicts on a question, the oldest first."""
        return tuple(self._found.get(basis, {}).values())
