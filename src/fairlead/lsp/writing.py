"""Answers what the client writes for its user: proposals, arguments, new names, arranged blanks, fixes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from fairlead.lsp.lenses import actions
from fairlead.lsp.session import Feature, Features, Refusal, Session
from fairlead.lsp.values import ITEMS, extent_of, offset_of, range_of
from fairlead.service.completion import Item, completion, signature
from fairlead.service.documents import Document
from fairlead.service.fixes import QuickFix, fixes
from fairlead.service.formatting import formatting
from fairlead.service.rename import Edit, Refused, renamable, rename

# ---------------------------------------------------------------- proposals


def completed(session: Session, params: types.CompletionParams) -> types.CompletionList:
    """What can be written at a place."""
    document = session.document(params.text_document.uri)
    found = completion(session.workspace, document, offset_of(document, params.position))
    digits = len(str(len(found)))
    items = [_item(document, item, f"{number:0{digits}}") for number, item in enumerate(found)]
    return types.CompletionList(is_incomplete=False, items=items)


def _item(document: Document, item: Item, rank: str) -> types.CompletionItem:
    return types.CompletionItem(
        label=item.label,
        kind=ITEMS.get(item.kind, types.CompletionItemKind.Variable),
        detail=item.detail or None,
        sort_text=rank,  # the likely proposals first
        filter_text=item.label,
        text_edit=types.TextEdit(range_of(document, item.at), item.text),
    )


def signed(session: Session, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The parameters of the call around a place."""
    document = session.document(params.text_document.uri)
    found = signature(session.workspace, document, offset_of(document, params.position))
    if found is None:
        return None
    parameters = [
        types.ParameterInformation(label) for label in _labels(session, found.label, found.parameters)
    ]
    shown = types.SignatureInformation(found.label, found.symbol.kind.value, parameters)
    return types.SignatureHelp([shown], active_signature=0, active_parameter=found.active)


def _labels(session: Session, label: str, parameters: Iterable[str]) -> Iterable[str | tuple[int, int]]:
    """The parameters as parts of the label: as texts, or as places, which are not mistaken for others."""
    if not session.can(
        "text_document.signature_help.signature_information.parameter_information.label_offset_support"
    ):
        return parameters
    places: list[tuple[int, int]] = []
    start = max(label.find("("), label.find(".")) + 1
    for parameter in parameters:
        start = max(label.find(parameter, start), 0)
        places.append((start, start + len(parameter)))
        start += len(parameter)
    return places


# ---------------------------------------------------------------- names


def prepared(session: Session, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """The name that would be changed."""
    document = session.document(params.text_document.uri)
    found = renamable(session.workspace, document, offset_of(document, params.position))
    if isinstance(found, Refused):
        raise Refusal(found.reason)
    return types.PrepareRenamePlaceholder(range_of(document, found.at), found.name)


def renamed(session: Session, params: types.RenameParams) -> types.WorkspaceEdit:
    """The edits that give a name another one."""
    document = session.document(params.text_document.uri)
    found = rename(session.workspace, document, offset_of(document, params.position), params.new_name)
    if isinstance(found, Refused):
        raise Refusal(found.reason)
    return edits_of(session, found)


def edits_of(session: Session, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    """Edits of several files; where the client can, with the versions of the documents that they are for."""
    found: dict[Path, list[types.TextEdit]] = {}
    for edit in edits:
        document = session.workspace.document(edit.path)
        if document is not None:
            found.setdefault(edit.path, []).append(types.TextEdit(range_of(document, edit.at), edit.text))
    if not session.can("workspace.workspace_edit.document_changes"):
        return types.WorkspaceEdit(
            {session.addresses.uri(path): list(texts) for path, texts in found.items()}
        )
    versions = {document.path: document.version for document in session.workspace.documents}
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    session.addresses.uri(path), versions.get(path)
                ),
                list(texts),
            )
            for path, texts in found.items()
        ]
    )


# ---------------------------------------------------------------- blanks and fixes


def formatted(session: Session, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The edits that put blanks in order."""
    document = session.document(params.text_document.uri)
    found = formatting(session.workspace, document)
    return [types.TextEdit(range_of(document, edit.at), edit.text) for edit in found]


async def acted(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about a part of a text: the fixes for its problems, and what can be asked there."""
    uri, wanted = params.text_document.uri, params.context.only
    await session.diagnoses.of(session.addresses.path(uri))  # problems are remembered: only waits
    document = session.document(uri)
    part = extent_of(document, params.range)
    given = params.context.diagnostics
    found: list[types.CodeAction] = []
    if wanted is None or any(kind in ("", types.CodeActionKind.QuickFix) for kind in wanted):
        fixing = fixes(session.workspace, document, part)
        found += [_action(session, fix, given, only=len(fixing) == 1) for fix in fixing]
    if wanted is None or "" in wanted:
        found += actions(session, document, uri, part)
    return found


def _action(
    session: Session, fix: QuickFix, given: Iterable[types.Diagnostic], *, only: bool
) -> types.CodeAction:
    about = [
        problem
        for problem in given
        if problem.code == fix.problem.code.value and problem.message.startswith(fix.problem.message)
    ]
    return types.CodeAction(
        title=fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=about or None,
        is_preferred=only,
        edit=edits_of(session, (fix.edit,)),
    )


FEATURES: Features = (
    Feature(
        types.TEXT_DOCUMENT_COMPLETION, completed, types.CompletionOptions(trigger_characters=["#", "."])
    ),
    Feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        signed,
        types.SignatureHelpOptions(trigger_characters=["(", ",", "."]),
    ),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, prepared),
    Feature(types.TEXT_DOCUMENT_RENAME, renamed),
    Feature(types.TEXT_DOCUMENT_FORMATTING, formatted),
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        acted,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    ),
)
