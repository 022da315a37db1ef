"""What the client shows of a text: what names mean and where they are, outline, folds, colours, problems."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from fairlead.lang.editing import Analysis, Extent, SymbolKind
from fairlead.lang.lexemes import shortened
from fairlead.lsp.addresses import identifier
from fairlead.lsp.session import Feature, Features, Session
from fairlead.lsp.values import SYMBOLS, TOKENS, offset_of, part_of, range_of
from fairlead.present.explain import topic
from fairlead.service.documents import Document
from fairlead.service.hover import Hover, hover
from fairlead.service.names import Location, definition, references
from fairlead.service.outline import Entry, folding, outline
from fairlead.service.tokens import SemanticToken, semantic_tokens

# ---------------------------------------------------------------- what a name is


def hovered(session: Session, params: types.HoverParams) -> types.Hover | None:
    """Describes a place: the name or operator there, and the problems."""
    document = session.document(params.text_document.uri)
    offset = offset_of(document, params.position)
    found = hover(session.workspace, document, offset)
    is_markdown = session.prefers_markdown("text_document.hover.content_format")
    paragraphs = [] if found is None else list(_paragraphs(session, document, found, is_markdown=is_markdown))
    paragraphs += _about_problems(session, document, offset)
    if not paragraphs:
        return None
    kind = types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText
    part = None if found is None else range_of(document, found.at)
    return types.Hover(types.MarkupContent(kind, "\n\n".join(paragraphs)), part)


def _paragraphs(session: Session, document: Document, found: Hover, *, is_markdown: bool) -> Iterator[str]:
    yield found.title
    if found.declaration:
        editing = session.workspace.editing(document)
        language = "" if editing is None else identifier(editing.language)
        yield f"```{language}\n{found.declaration}\n```" if is_markdown else found.declaration
    if found.explanation:
        yield found.explanation


def _about_problems(session: Session, document: Document, offset: int) -> Iterator[str]:
    """What the codes of the problems in a place mean."""
    codes = {
        problem.code.value: None
        for problem in session.diagnoses.known(document.path)
        if problem.span is not None
        and problem.span.start <= offset <= problem.span.end
        and problem.span.source.text == document.text
    }
    for code in codes:
        yield f"`{code}`: {topic(code).summary}"


def defined(session: Session, params: types.DefinitionParams) -> types.Location | None:
    """Where a name is declared."""
    document = session.document(params.text_document.uri)
    found = definition(session.workspace, document, offset_of(document, params.position))
    return None if found is None else _location(session, found)


def referred(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    """Where a name is used."""
    document = session.document(params.text_document.uri)
    offset = offset_of(document, params.position)
    found = references(session.workspace, document, offset)
    if not params.context.include_declaration:
        declared = definition(session.workspace, document, offset)
        found = tuple(one for one in found if one != declared)
    return [location for one in found if (location := _location(session, one)) is not None]


def highlighted(session: Session, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    """Where a name is used in the same document."""
    document = session.document(params.text_document.uri)
    found = references(session.workspace, document, offset_of(document, params.position))
    return [types.DocumentHighlight(range_of(document, one.at)) for one in found if one.path == document.path]


def _location(session: Session, found: Location) -> types.Location | None:
    document = session.workspace.document(found.path)
    if document is None:
        return None
    return types.Location(session.addresses.uri(found.path), range_of(document, found.at))


# ---------------------------------------------------------------- outline and folds


def outlined(
    session: Session, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The declarations."""
    document = session.document(params.text_document.uri)
    analysis = session.workspace.analysis(document)
    if analysis is None:
        return []
    entries = outline(analysis)
    if session.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return [_symbol(document, entry) for entry in entries]
    return [one for entry in entries for one in _flat(document, entry, params.text_document.uri)]


def _symbol(document: Document, entry: Entry) -> types.DocumentSymbol:
    symbol = entry.symbol
    start = min(symbol.whole.start, symbol.name_at.start)
    end = max(symbol.whole.end, symbol.name_at.end)
    return types.DocumentSymbol(
        name=_name(entry),
        kind=SYMBOLS[symbol.kind],
        range=range_of(document, Extent(start, end)),
        selection_range=range_of(document, symbol.name_at),
        detail=symbol.detail or symbol.kind.value,
        children=[_symbol(document, child) for child in entry.children] or None,
    )


def _flat(document: Document, entry: Entry, uri: str) -> Iterator[types.SymbolInformation]:
    place = types.Location(uri, range_of(document, entry.symbol.name_at))
    yield types.SymbolInformation(
        place, _name(entry), SYMBOLS[entry.symbol.kind], container_name=entry.symbol.container or None
    )
    for child in entry.children:
        yield from _flat(document, child, uri)


def _name(entry: Entry) -> str:
    symbol = entry.symbol
    name = f"{symbol.name}({', '.join(symbol.parameters)})" if symbol.parameters else symbol.name
    return shortened(name) or symbol.kind.value  # clients refuse an empty name


def folded(session: Session, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    """What can be folded, line by line."""
    document = session.document(params.text_document.uri)
    analysis = session.workspace.analysis(document)
    found: dict[tuple[int, int], types.FoldingRange] = {}
    for extent in () if analysis is None else folding(analysis):
        part = range_of(document, extent)
        is_comment = document.text.startswith(("//", "/*"), extent.start)
        kind = types.FoldingRangeKind.Comment if is_comment else None
        if part.end.line > part.start.line:
            fold = types.FoldingRange(part.start.line, part.end.line, kind=kind)
            found.setdefault((part.start.line, part.end.line), fold)
    return list(found.values())


# ---------------------------------------------------------------- colours

LEGEND = types.SemanticTokensLegend(list(dict.fromkeys(TOKENS.values())), ["declaration", "readonly"])
_TYPES = {name: number for number, name in enumerate(LEGEND.token_types)}
_DECLARATION, _READONLY = 1, 2
_CONSTANT = (SymbolKind.CONSTANT, SymbolKind.PARAMETER, SymbolKind.INDEX, SymbolKind.RECEIVED)


def coloured(session: Session, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """The tokens of a document."""
    document = session.document(params.text_document.uri)
    analysis = session.workspace.analysis(document)
    return types.SemanticTokens(
        [] if analysis is None else _numbers(document, analysis, 0, len(document.text))
    )


def partly_coloured(session: Session, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
    """The tokens of a part of a document."""
    document = session.document(params.text_document.uri)
    analysis = session.workspace.analysis(document)
    start, end = offset_of(document, params.range.start), offset_of(document, params.range.end)
    return types.SemanticTokens([] if analysis is None else _numbers(document, analysis, start, end))


def _numbers(document: Document, analysis: Analysis, first: int, last: int) -> list[int]:
    """Five numbers for each token, as in the protocol: its place after the one before, and what it is."""
    numbers: list[int] = []
    line = character = 0
    for token in semantic_tokens(analysis):
        if token.kind not in TOKENS or token.at.end < first or token.at.start > last:
            continue
        for extent in _lines_of(document.text, token):
            place = part_of(document.lines, extent.start, extent.end)
            ahead = place.start.line - line
            across = place.start.character - (0 if ahead else character)
            width = place.end.character - place.start.character
            numbers += (ahead, across, width, _TYPES[TOKENS[token.kind]], _modifiers(token))
            line, character = place.start.line, place.start.character
    return numbers


def _lines_of(text: str, token: SemanticToken) -> Iterator[Extent]:
    """The part of a token in each line; few clients take tokens of several lines."""
    start = token.at.start
    for part in text[token.at.start : token.at.end].split("\n"):
        if part:
            yield Extent(start, start + len(part))
        start += len(part) + 1


def _modifiers(token: SemanticToken) -> int:
    return _DECLARATION * token.is_declaration | _READONLY * (token.kind in _CONSTANT)


# ---------------------------------------------------------------- problems


async def diagnosed(
    session: Session, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport:
    """The problems of a document, for clients that ask for them."""
    path = session.addresses.path(params.text_document.uri)
    await session.diagnoses.of(path)
    return types.RelatedFullDocumentDiagnosticReport(session.told(path))


FEATURES: Features = (
    Feature(types.TEXT_DOCUMENT_HOVER, hovered),
    Feature(types.TEXT_DOCUMENT_DEFINITION, defined),
    Feature(types.TEXT_DOCUMENT_REFERENCES, referred),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlighted),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outlined),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, folded),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, coloured, LEGEND),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, partly_coloured, LEGEND),
    Feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        diagnosed,
        types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier="fairlead"
        ),
        needs="text_document.diagnostic",
    ),
)
