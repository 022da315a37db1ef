"""What the server knows about one client: what it can do, its documents, and what was found out for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder, get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from fairlead.base.records import dataclass
from fairlead.lsp.addresses import Addresses
from fairlead.lsp.diagnoses import Diagnoses
from fairlead.lsp.values import Problems
from fairlead.service.documents import Document, Workspace
from fairlead.service.positions import Units


class Refusal(JsonRpcException):
    """A request that makes no sense where it was asked; the message is for people."""

    CODE = types.LSPErrorCodes.RequestFailed.value


class Session:
    """One client."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.units = Units.UTF16
        self.workspace = Workspace(self.units)
        self.addresses = Addresses(Path.cwd())
        self.capabilities = types.ClientCapabilities()
        self.diagnoses = Diagnoses(lambda: self.workspace, self._publish)

    def begin(self, params: types.InitializeParams) -> None:
        """The client says what it is."""
        self.capabilities = params.capabilities
        self.units = Units(ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities))
        self.workspace = Workspace(self.units)
        folder = to_fs_path(params.root_uri or "") or params.root_path
        self.addresses = Addresses(Path(folder).resolve() if folder else Path.cwd())

    def end(self) -> None:
        """The client has gone, or wants nothing more."""
        self.diagnoses.close()

    def can(self, feature: str) -> bool:
        """Whether the client can do something: `text_document.code_lens`."""
        return get_capability(self.capabilities, feature) not in (None, False)

    def prefers_markdown(self, feature: str) -> bool:
        """Whether the client shows Markdown where it lists formats: `text_document.hover.content_format`."""
        formats = get_capability(self.capabilities, feature) or []
        return types.MarkupKind.Markdown in formats

    # ------------------------------------------------------------ documents

    def document(self, uri: str) -> Document:
        """The document of an address, be it open or not."""
        document = self.workspace.document(self.addresses.path(uri))
        if document is None:
            raise Refusal(f"cannot read {uri}")
        return document

    # ------------------------------------------------------------ problems

    @property
    def pulls(self) -> bool:
        """Whether the client asks for problems, so that they need not be sent."""
        return self.can("text_document.diagnostic")

    def told(self, path: Path) -> list[types.Diagnostic]:
        """What is known to be wrong with a file, as the client takes it."""
        can_relate = self.can("text_document.publish_diagnostics.related_information") or self.can(
            "text_document.diagnostic.related_information"
        )
        problems = Problems(self.units, self.addresses.uri, can_relate=can_relate)
        return problems.of(self.diagnoses.known(path))

    def _publish(self, paths: set[Path]) -> None:
        open_now = {document.path: document for document in self.workspace.documents}
        for path in sorted(paths):
            if self.pulls and path in open_now:
                continue
            version = open_now[path].version if path in open_now else None
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(self.addresses.uri(path), self.told(path), version)
            )


#: answers a request, or hears a notification
Handler = Callable[[Session, Any], Any]


@dataclass(frozen=True)
class Feature:
    """Something that a client can ask for: the method of the protocol, who answers, options for the client.

    With `needs`, it is offered to clients with this capability alone.
    """

    method: str
    handler: Handler
    options: Any = None
    needs: str | None = None


Features = tuple[Feature, ...]
