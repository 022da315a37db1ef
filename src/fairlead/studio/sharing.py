"""Verdicts and their runs as one page that opens without a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairlead.base.version import __version__
from fairlead.present.html.markup import Markup, tag
from fairlead.present.html.page import whole_page
from fairlead.service.verdicts import Verdict
from fairlead.studio.folder import Refused

if TYPE_CHECKING:
    from fairlead.studio.workbench import Workbench

#: a page has at most so many runs
MOST = 100


def shared_page(bench: Workbench, given: Mapping[str, Any]) -> str:
    """The page about a model, with its text, the verdicts that are chosen, and a note."""
    name = given.get("name")
    document = bench.document(name)
    chosen = given.get("verdicts")
    if not isinstance(chosen, list) or not chosen or len(chosen) > MOST:
        raise Refused(f"expected from 1 to {MOST} verdicts")
    found = [_verdict(bench, one) for one in chosen]
    note = given.get("note")
    head = tag(
        "header",
        tag("h1", str(name)),
        tag("p", str(note)[:2000], class_="fl-lead") if isinstance(note, str) and note else None,
        tag("p", f"made with the studio of fairlead {__version__}", class_="fl-quiet"),
    )
    parts = [
        tag(
            "section",
            tag("h2", _title(one)),
            Markup(one.shown.html) if one.shown else None,
            class_="fairlead",
        )
        for one in found
    ]
    lines = (
        tag("tr", tag("td", str(number), class_="fl-count fl-quiet"), tag("td", tag("code", line or " ")))
        for number, line in enumerate(document.text.split("\n"), 1)
    )
    text = tag(
        "section", tag("h2", "The model now"), tag("table", tag("tbody", lines), class_="fl-text"), id="model"
    )
    return whole_page(f"{name} – fairlead", head, *parts, text)


def _verdict(bench: Workbench, given: object) -> Verdict:
    if not isinstance(given, Mapping):
        raise Refused("expected verdicts")
    return bench.verdict(*(given.get(name) for name in ("basis", "fairness", "assertion", "fair")))


def _title(verdict: Verdict) -> str:
    result = verdict.result
    return f"{result['assertion']} [{result['fairness']}]: {result['verdict']}"
