"""What the server knows about one client: what it can do, its documents, and what was found out for it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable
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
from fairlead.lsp.settings import Display, Settings
from fairlead.lsp.simulations import Simulations
from fairlead.lsp.values import Problems
from fairlead.lsp.work import Work
from fairlead.service.documents import Document, Workspace
from fairlead.service.positions import Units
from fairlead.service.verdicts import Verdicts

#: how a client says that it has them
INLAY_HINTS = "text_document.inlay_hint"
#: seconds between two requests to a client to ask for verdicts again
_PAUSE = 0.1


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
        self.settings = Settings()
        self.diagnoses = Diagnoses(lambda: self.workspace, self._publish)
        self.verdicts = Verdicts()
        self.work = Work(server)
        self.simulations = Simulations()
        self.shown = ShownTexts()
        self._folder: Path | None = None
        #: what else is shown with the problems of a file
        self.remarks: Callable[[Path], Iterable[types.Diagnostic]] = lambda path: ()
        self._refreshing: asyncio.TimerHandle | None = None

    def begin(self, params: types.InitializeParams) -> None:
        """The client says what it is."""
        self.capabilities = params.capabilities
        self.units = Units(ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities))
        self.workspace = Workspace(self.units)
        folder = to_fs_path(params.root_uri or "") or params.root_path
        self.addresses = Addresses(Path(folder).resolve() if folder else Path.cwd())
        self.settings = self.settings.changed(params.initialization_options)

    def end(self) -> None:
        """The client has gone, or wants nothing more."""
        self.diagnoses.close()
        self.work.close()
        self.simulations.close()
        if self._refreshing is not None:
            self._refreshing.cancel()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def folder(self) -> Path:
        """A folder for pages that the client opens; it goes with the session."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="fairlead-"))
        return self._folder

    def say(self, kind: types.MessageType, message: str) -> None:
        """Tells the user something."""
        self.server.window_show_message(types.ShowMessageParams(kind, message))

    @property
    def displays(self) -> frozenset[Display]:
        """Where verdicts are shown: as the client has chosen, or in the best way that it says it has."""
        if self.settings.verdicts is not None:
            return self.settings.verdicts
        if self.can("text_document.code_lens"):
            return frozenset((Display.LENSES,))
        return frozenset((Display.HINTS if self.can(INLAY_HINTS) else Display.DIAGNOSTICS,))

    def refresh(self) -> None:
        """Has the client ask for verdicts again, soon."""
        if self._refreshing is None:
            self._refreshing = asyncio.get_running_loop().call_later(_PAUSE, self._refresh)

    def _refresh(self) -> None:
        self._refreshing = None
        if self.can("workspace.code_lens.refresh_support"):
            self.server.workspace_code_lens_refresh(None)
        if self.can("workspace.inlay_hint.refresh_support"):
            self.server.workspace_inlay_hint_refresh(None)
        if Display.DIAGNOSTICS in self.displays:
            self.have_problems_pulled()
            self._publish({document.path for document in self.workspace.documents})
        self.server.protocol.notify("$/fairlead/verdicts", {})

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
        return [*problems.of(self.diagnoses.known(path)), *self.remarks(path)]

    def have_problems_pulled(self) -> None:
        """Has a client ask for problems again, if that is what it does."""
        if self.pulls and self.can("workspace.diagnostics.refresh_support"):
            self.server.workspace_diagnostic_refresh(None)

    def _publish(self, paths: set[Path]) -> None:
        open_now = {document.path: document for document in self.workspace.documents}
        for path in sorted(paths):
            if self.pulls and path in open_now:
                continue
            version = open_now[path].version if path in open_now else None
            self.server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(self.addresses.uri(path), self.told(path), version)
            )


class ShownTexts:
    """The texts of what was shown last, so that places in them can be found in what became of them."""

    def __init__(self, most: int = 50) -> None:
        self._most = most
        self._texts: OrderedDict[str, tuple[tuple[Path, str], ...]] = OrderedDict()

    def add(self, texts: tuple[tuple[Path, str], ...]) -> str:
        """Keeps texts; their name."""
        name = str(uuid.uuid4())
        self._texts[name] = texts
        if len(self._texts) > self._most:
            self._texts.popitem(last=False)
        return name

    def texts(self, name: str) -> tuple[tuple[Path, str], ...] | None:
        """The texts of a name."""
        return self._texts.get(name)


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
