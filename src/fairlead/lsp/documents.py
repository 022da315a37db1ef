"""Follows documents that open, change and close, and files that change on disk."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from fairlead.lang.registry import SUFFIXES
from fairlead.lsp.session import Feature, Features, Session
from fairlead.lsp.values import given_part
from fairlead.service.documents import Change


def opened(session: Session, params: types.DidOpenTextDocumentParams) -> None:
    """From now on the text of the client counts, not that of the file."""
    given = params.text_document
    path = session.addresses.open(given.uri, given.language_id)
    session.workspace.open(path, given.text, given.version)
    session.diagnoses.changed()


def changed(session: Session, params: types.DidChangeTextDocumentParams) -> None:
    """Makes the changes, one after the other."""
    path = session.addresses.path(params.text_document.uri)
    try:
        session.workspace.change(path, _changes(params), params.text_document.version)
    except KeyError:  # it is not open
        return
    session.diagnoses.changed(path)


def _changes(params: types.DidChangeTextDocumentParams) -> Iterator[Change]:
    for change in params.content_changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            yield Change(change.text, given_part(change.range))
        else:
            yield Change(change.text)


def closed(session: Session, params: types.DidCloseTextDocumentParams) -> None:
    """From now on the file counts."""
    session.workspace.close(session.addresses.close(params.text_document.uri))
    session.diagnoses.changed()


def saved(session: Session, params: types.DidSaveTextDocumentParams) -> None:
    """Other documents may read the file."""
    session.diagnoses.changed()


def files_changed(session: Session, params: types.DidChangeWatchedFilesParams) -> None:
    """Files that open documents may include have other texts."""
    session.diagnoses.changed()
    session.have_problems_pulled()
    session.refresh()


def configured(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """The user has changed the settings."""
    given = params.settings
    chosen = given.get("fairlead", given) if isinstance(given, dict) else None
    session.settings = session.settings.changed(chosen)
    session.refresh()


def begun(session: Session, params: types.InitializedParams) -> None:
    """Asks the client to tell when files change."""
    if not session.can("workspace.did_change_watched_files.dynamic_registration"):
        return
    watchers = [types.FileSystemWatcher(f"**/*{suffix}") for suffix in SUFFIXES]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    session.server.client_register_capability(types.RegistrationParams([registration]))


FEATURES: Features = (
    Feature(types.INITIALIZED, begun),
    Feature(types.TEXT_DOCUMENT_DID_OPEN, opened),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, changed),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, closed),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, saved),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files_changed),
    Feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION, configured),
)
