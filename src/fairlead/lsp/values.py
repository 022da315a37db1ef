"""Translates the values of the service into values of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from fairlead.base.diagnostics import Code, Diagnostic, Severity
from fairlead.base.source import Span
from fairlead.lang.editing import Extent, SymbolKind, TokenKind
from fairlead.service.documents import Document
from fairlead.service.positions import Lines, Position, Units
from fairlead.service.positions import Range as Part

SOURCE = "fairlead"

SYMBOLS = {
    SymbolKind.PROCESS: types.SymbolKind.Class,
    SymbolKind.COMPOSITE: types.SymbolKind.Module,
    SymbolKind.LOCAL_PROCESS: types.SymbolKind.Method,
    SymbolKind.EVENT: types.SymbolKind.Event,
    SymbolKind.VARIABLE: types.SymbolKind.Variable,
    SymbolKind.CHANNEL: types.SymbolKind.Interface,
    SymbolKind.CONSTANT: types.SymbolKind.Constant,
    SymbolKind.MACRO: types.SymbolKind.Function,
    SymbolKind.RANGE: types.SymbolKind.TypeParameter,
    SymbolKind.SET: types.SymbolKind.Array,
    SymbolKind.FLUENT: types.SymbolKind.Boolean,
    SymbolKind.PROGRESS: types.SymbolKind.Property,
    SymbolKind.ASSERTION: types.SymbolKind.Property,
    SymbolKind.PARAMETER: types.SymbolKind.Variable,
    SymbolKind.INDEX: types.SymbolKind.Variable,
    SymbolKind.RECEIVED: types.SymbolKind.Variable,
    SymbolKind.LOCAL_VARIABLE: types.SymbolKind.Variable,
    SymbolKind.FILE: types.SymbolKind.File,
    SymbolKind.OTHER: types.SymbolKind.Object,
}

ITEMS: dict[SymbolKind | TokenKind, types.CompletionItemKind] = {
    SymbolKind.PROCESS: types.CompletionItemKind.Class,
    SymbolKind.COMPOSITE: types.CompletionItemKind.Module,
    SymbolKind.LOCAL_PROCESS: types.CompletionItemKind.Method,
    SymbolKind.EVENT: types.CompletionItemKind.Event,
    SymbolKind.VARIABLE: types.CompletionItemKind.Variable,
    SymbolKind.CHANNEL: types.CompletionItemKind.Interface,
    SymbolKind.CONSTANT: types.CompletionItemKind.Constant,
    SymbolKind.MACRO: types.CompletionItemKind.Function,
    SymbolKind.RANGE: types.CompletionItemKind.TypeParameter,
    SymbolKind.SET: types.CompletionItemKind.Enum,
    SymbolKind.FLUENT: types.CompletionItemKind.Value,
    SymbolKind.PROGRESS: types.CompletionItemKind.Property,
    SymbolKind.ASSERTION: types.CompletionItemKind.Property,
    SymbolKind.FILE: types.CompletionItemKind.File,
    TokenKind.KEYWORD: types.CompletionItemKind.Keyword,
    TokenKind.OPERATOR: types.CompletionItemKind.Operator,
}

#: the types of semantic tokens, which clients have colours for
TOKENS: dict[SymbolKind | TokenKind, str] = {
    TokenKind.KEYWORD: "keyword",
    TokenKind.NUMBER: "number",
    TokenKind.STRING: "string",
    TokenKind.OPERATOR: "operator",
    TokenKind.COMMENT: "comment",
    SymbolKind.PROCESS: "class",
    SymbolKind.COMPOSITE: "class",
    SymbolKind.LOCAL_PROCESS: "class",
    SymbolKind.EVENT: "event",
    SymbolKind.VARIABLE: "variable",
    SymbolKind.CHANNEL: "interface",
    SymbolKind.CONSTANT: "enumMember",
    SymbolKind.MACRO: "macro",
    SymbolKind.RANGE: "type",
    SymbolKind.SET: "type",
    SymbolKind.FLUENT: "property",
    SymbolKind.PROGRESS: "property",
    SymbolKind.ASSERTION: "property",
    SymbolKind.PARAMETER: "parameter",
    SymbolKind.INDEX: "parameter",
    SymbolKind.RECEIVED: "parameter",
    SymbolKind.LOCAL_VARIABLE: "variable",
}


def position(place: Position) -> types.Position:
    """A place between two characters."""
    return types.Position(place.line, place.character)


def part_of(lines: Lines, start: int, end: int) -> types.Range:
    """The range between two offsets."""
    found = lines.range(start, end)
    return types.Range(position(found.start), position(found.end))


def range_of(document: Document, extent: Extent) -> types.Range:
    """A part of a document."""
    return part_of(document.lines, extent.start, extent.end)


def offset_of(document: Document, place: types.Position) -> int:
    """The offset of a place that a client names."""
    return document.lines.offset(Position(place.line, place.character))


def extent_of(document: Document, part: types.Range) -> Extent:
    """The part of a document that a client names."""
    return Extent(offset_of(document, part.start), offset_of(document, part.end))


def given_part(part: types.Range) -> Part:
    """A range that a client gives."""
    return Part(Position(part.start.line, part.start.character), Position(part.end.line, part.end.character))


class Problems:
    """Diagnostics as a client takes them: `address` names files, and `can_relate` second places."""

    def __init__(self, units: Units, address: Callable[[Path], str], *, can_relate: bool) -> None:
        self._units = units
        self._address = address
        self._can_relate = can_relate
        self._lines: dict[str, Lines] = {}

    def of(self, found: Iterable[Diagnostic]) -> list[types.Diagnostic]:
        """The diagnostics of one document; those without a place are at its beginning."""
        return [self._one(problem) for problem in found]

    def _one(self, problem: Diagnostic) -> types.Diagnostic:
        related = [
            types.DiagnosticRelatedInformation(self._location(other.span), other.message)
            for other in problem.related
        ]
        message = problem.message if problem.hint is None else f"{problem.message}\nhint: {problem.hint}"
        if related and not self._can_relate:
            message += "".join(f"\n{other.span}: {other.message}" for other in problem.related)
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        return types.Diagnostic(
            range=start if problem.span is None else self._range(problem.span),
            message=message,
            severity=_SEVERITIES[problem.severity],
            code=problem.code.value,
            code_description=description(problem.code),
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary] if problem.code is Code.UNUSED else None,
            related_information=(related or None) if self._can_relate else None,
        )

    def _range(self, span: Span) -> types.Range:
        """The place of a problem; one of no width is widened to a character, so that it can be seen."""
        text = span.source.text
        lines = self._lines.setdefault(text, Lines(text, self._units))
        start, end = span.start, span.end
        if end <= start:
            end = start + 1 if text[start : start + 1].strip() else start
            start = start - 1 if end == start and text[max(0, start - 1) : start].strip() else start
        return part_of(lines, start, end)

    def _location(self, span: Span) -> types.Location:
        return types.Location(self._address(Path(span.source.name)), self._range(span))


_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}


def description(code: Code) -> types.CodeDescription:
    """The page about the code of a diagnostic, which comes with fairlead."""
    return _page("codes", code.value)


def description_of_verdict(verdict: str) -> types.CodeDescription:
    """The page about a verdict."""
    return _page("verdicts", verdict)


def _page(folder: str, name: str) -> types.CodeDescription:
    page = files("fairlead.present.explain").joinpath(folder, f"{name}.md")
    return types.CodeDescription(str(from_fs_path(str(page))))
