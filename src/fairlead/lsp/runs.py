"""Gives clients runs to step through: as markup, as JSON, and with the places of each step."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.uris import from_fs_path

from fairlead.base.source import Source
from fairlead.base.writing import write_whole
from fairlead.lsp.lenses import json_range
from fairlead.lsp.orders import mapping, number, order_of, text
from fairlead.lsp.session import Refusal, Session
from fairlead.lsp.values import part_of
from fairlead.present.html.markup import Markup
from fairlead.present.html.page import page_script, page_style, whole_page
from fairlead.service.jobs import View
from fairlead.service.verdicts import Verdict, basis_of_all

Texts = tuple[tuple[Path, str], ...]


def chosen_verdict(session: Session, given: object) -> Verdict:
    """The verdict that is meant: the last one with a run, or the last one."""
    data, order = mapping(given), order_of(session, given)
    if order.part is None:
        bases = [basis_of_all(session.workspace, order.document)]
    else:
        bases = [one.basis for one in order.questions(session)]
    wanted = {name: text(data, name) for name in ("assertion", "fairness", "fair")}
    found = [
        verdict
        for basis in bases
        for verdict in session.verdicts.of(basis)
        if all(value is None or verdict.result.get(name) == value for name, value in wanted.items())
    ]
    if not found:
        raise Refusal("nothing is known about it; check it first")
    return next((verdict for verdict in reversed(found) if verdict.has_run), found[-1])


def run(session: Session, given: object) -> dict[str, Any]:
    """A verdict with all that there is to show of it."""
    verdict = chosen_verdict(session, given)
    steps = () if verdict.shown is None else verdict.shown.steps
    return {
        "id": session.shown.add(verdict.texts),
        "result": verdict.result,
        "steps": [
            {
                "number": step["number"],
                "event": step["event"],
                "processes": step["processes"],
                "inLoop": step["in_loop"],
                "places": [_location(session, verdict.texts, place) for place in step["places"]],
            }
            for step in steps
        ],
        **markup(verdict.shown),
    }


def markup(view: View | None) -> dict[str, Any]:
    """An answer as text and as a part of a page, with what the page needs."""
    if view is None:
        return {"text": "", "html": None}
    html = {"body": view.html, "style": page_style(), "script": page_script(), "files": list(view.files)}
    return {"text": view.text, "html": html}


# ---------------------------------------------------------------- places


def place(session: Session, given: object) -> dict[str, Any] | None:
    """Where a place of a run is now: the text may have changed since it was found. None if it is gone."""
    data = mapping(given)
    texts = session.shown.texts(text(data, "id") or "")
    if texts is None:
        raise Refusal("this run is no longer known")
    wanted = {"file": text(data, "file"), "line": number(data, "line"), "column": number(data, "column")}
    end = number(data, "endColumn") if "endColumn" in data else wanted["column"]
    return _location(session, texts, {**wanted, "end_line": wanted["line"], "end_column": end})


def _location(session: Session, texts: Texts, found: dict[str, Any]) -> dict[str, Any] | None:
    path = Path(found["file"])
    before = dict(texts).get(path)
    document = session.workspace.document(path)
    if before is None or document is None:
        return None
    moved = 0
    if document.text != before:
        line = _line_now(before, document.text, found["line"] - 1)
        if line is None:
            return None
        moved = line + 1 - found["line"]
    source = Source("", document.text)
    start = source.line_start(found["line"] + moved) + found["column"] - 1
    end = source.line_start(found["end_line"] + moved) + found["end_column"] - 1
    part = part_of(document.lines, start, max(start, end))
    return {"uri": session.addresses.uri(path), "range": json_range(part)}


def _line_now(before: str, after: str, line: int) -> int | None:
    """Which line of a text is this one of an earlier text, from 0; None if it has changed."""
    for block in _blocks(before, after):
        if block[0] <= line < block[0] + block[2]:
            return line - block[0] + block[1]
    return None


@lru_cache(maxsize=8)
def _blocks(before: str, after: str) -> Sequence[tuple[int, int, int]]:
    matcher = SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()]


# ---------------------------------------------------------------- pages


async def show_page(session: Session, view: View | None, title: str) -> None:
    """Shows an answer: as a page, if the client can open one, or else in words."""
    if view is None:
        return
    if session.can("window.show_document.support"):
        page = session.folder() / f"{len(list(session.folder().iterdir())) + 1}.html"
        write_whole(page, whole_page(title, Markup(view.html)))
        params = types.ShowDocumentParams(str(from_fs_path(str(page))), external=True)
        answer = await session.server.window_show_document_async(params)
        if answer is not None and answer.success:
            return
    session.say(types.MessageType.Info, view.text)
