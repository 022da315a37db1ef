"""A language server for one client: what it may ask, and who answers, however messages arrive."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable
from typing import Any

import attrs
from cattrs import Converter
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage

from fairlead.base.version import __version__
from fairlead.lsp import asking, commands, documents, lenses, reading, stepping, writing
from fairlead.lsp.session import Feature, Features, Handler, Session

FEATURES: Features = (
    *documents.FEATURES,
    *reading.FEATURES,
    *writing.FEATURES,
    *lenses.FEATURES,
    *commands.FEATURES,
    *asking.FEATURES,
    *stepping.FEATURES,
)
#: pygls keeps documents of its own, with other line ends, and ends the process when the client leaves
_REPLACED = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_EXECUTE_COMMAND,
    types.EXIT,
)
_log = logging.getLogger(__name__)


class Server(LanguageServer):
    """The server of one client. The transport ends when `has_left` is set, and calls `close`."""

    def __init__(self) -> None:
        super().__init__("fairlead", __version__, converter_factory=_converter)
        # the answers report what goes wrong; pygls would write each refusal with a traceback
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
        self.has_left = asyncio.Event()
        self.session = Session(self)
        self.session.remarks = lambda path: lenses.verdict_diagnostics(self.session, path)
        for method in _REPLACED:
            self.protocol.fm.builtin_features.pop(method)
        # pygls notes on a function what it is for, which a bound method does not allow
        self.feature(types.INITIALIZE)(lambda params: self._begin(params))
        self.feature(types.EXIT)(lambda params: self.has_left.set())
        for feature in FEATURES:
            if feature.needs is None:
                self._add(feature)
        for command in commands.COMMANDS:  # for the capabilities; the feature above carries them out
            self.command(command)(lambda: None)

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has left in good order."""
        return bool(self.protocol._shutdown)

    def close(self) -> None:
        """Ends what is under way for the client."""
        self.session.end()
        self.shutdown()  # type: ignore[no-untyped-call]

    def _begin(self, params: types.InitializeParams) -> None:
        self.session.begin(params)
        for feature in FEATURES:
            if feature.needs is not None and self.session.can(feature.needs):
                self._add(feature)

    def _add(self, feature: Feature) -> None:
        handler = _guarded(feature.handler, self.session)
        self.feature(feature.method, feature.options)(handler)


def _guarded(handler: Handler, session: Session) -> Callable[[Any], Any]:
    """The handler for pygls; an unexpected exception is written to the log, and reported to the client."""
    if asyncio.iscoroutinefunction(handler):

        @functools.wraps(handler)
        async def answer_later(params: Any) -> Any:
            try:
                return await handler(session, params)
            except JsonRpcException:
                raise
            except Exception:
                _log.exception("in %s", handler.__name__)
                raise

        return answer_later

    @functools.wraps(handler)
    def answer(params: Any) -> Any:
        try:
            return handler(session, params)
        except JsonRpcException:
            raise
        except Exception:
            _log.exception("in %s", handler.__name__)
            raise

    return answer


def _converter() -> Converter:
    """Messages of the protocol as values; those that it does not know keep their contents as they are."""
    converter = get_converter()
    for kind in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, _plain)
    return converter


def _plain(data: dict[str, Any], kind: type[Any]) -> Any:
    return kind(**{field.name: data.get(field.name) for field in attrs.fields(kind)})
