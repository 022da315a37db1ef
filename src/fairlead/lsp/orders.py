"""What commands and requests of our own are given: one object, checked here, as no type describes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from fairlead.base.diagnostics import FairleadError
from fairlead.base.records import dataclass
from fairlead.lang.editing import Extent
from fairlead.logic.fairness.notions import parse_fairness
from fairlead.lsp.session import Refusal, Session
from fairlead.lsp.values import extent_of
from fairlead.service.documents import Document
from fairlead.service.verdicts import Asked, asked, subject_of


class Wrong(JsonRpcInvalidParams):
    """The object has not the form that the manual says."""

    def __init__(self, message: str) -> None:
        super().__init__(message=message)


@dataclass(frozen=True)
class Order:
    """The questions about a document, or a part of it, and the fairness to ask them under."""

    document: Document
    part: Extent | None = None
    fairness: str | None = None
    fair: str | None = None
    process: str | None = None
    limits: Any = None

    def questions(self, session: Session) -> tuple[Asked, ...]:
        """The questions that are meant; empty if all of the model are."""
        if self.part is None:
            return ()
        found = tuple(
            one
            for one in asked(session.workspace, self.document)
            if one.question.whole.start <= self.part.end and self.part.start <= one.question.whole.end
        )
        if not found:
            raise Refusal("there is no assertion here")
        return found

    def subject(self, session: Session) -> Document:
        """The document that is checked: the one itself, or an open one that includes it."""
        return subject_of(session.workspace, self.document)


def order_of(session: Session, given: object) -> Order:
    """The order that an object is; raises `Wrong` if it is none."""
    data = mapping(given)
    document = session.document(uri_of(data))
    fairness = text(data, "fairness")
    if fairness is not None:
        try:
            parse_fairness(fairness)
        except FairleadError as error:
            raise Wrong(error.diagnostics[0].message) from None
    part = data.get("range")
    return Order(
        document,
        None if part is None else extent_of(document, range_in(part)),
        fairness,
        text(data, "fair"),
        text(data, "process"),
        data.get("limits"),
    )


def mapping(given: object) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(given, Mapping):
        raise Wrong("expected an object")
    return given


def uri_of(data: Mapping[str, Any]) -> str:
    """The address of the document, as requests of the protocol have it."""
    found = text(mapping(data.get("textDocument")), "uri")
    if found is None:
        raise Wrong("expected textDocument: {uri}")
    return found


def text(data: Mapping[str, Any], name: str) -> str | None:
    """A text, if it is given."""
    found = data.get(name)
    if found is not None and not isinstance(found, str):
        raise Wrong(f"{name}: expected a text")
    return found


def number(data: Mapping[str, Any], name: str) -> int:
    """A whole number."""
    found = data.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise Wrong(f"{name}: expected a whole number")
    return found


def range_in(given: object) -> types.Range:
    """A range as in the protocol."""
    data = mapping(given)
    places = [mapping(data.get(name)) for name in ("start", "end")]
    start, end = (types.Position(number(one, "line"), number(one, "character")) for one in places)
    return types.Range(start, end)
