"""Makes pages, and parts of pages for notebooks, with style sheet and script; they load nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from fairlead.base.records import dataclass
from fairlead.present.draw.style import style_sheet
from fairlead.present.html.markup import Content, Markup, joined, tag

#: pictures of graphs are inside elements of this class
_PICTURES = ".fairlead .fl-graph"


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading of its own; `name` is what links call it."""

    name: str
    title: str
    body: Markup

    def markup(self) -> Markup:
        """The section as a part of a page."""
        return tag("section", tag("h2", self.title), self.body, id=self.name)


@dataclass(frozen=True)
class Contents:
    """What is shown of a value, for pages that have style sheet and script already.

    `files` are the names of the texts that runs point into, by the numbers that the script has for them.
    """

    markup: Markup
    files: tuple[str, ...] = ()


def page_style() -> str:
    """The style sheet that contents need, inside an element of the class `fairlead`."""
    return _asset("style.css") + style_sheet(_PICTURES)


def page_script() -> str:
    """The script that makes runs ready to be stepped through.

    Where a step is chosen it sends the event `fairlead-step`, whose `detail` has the `places` that the step
    executes, each with its text, line and columns, and in `stands` those where processes are.
    """
    return _asset("script.js")


def whole_page(title: str, *contents: Content) -> str:
    """A page that stands alone; no script runs in it but its own."""
    script = page_script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        _style(),
    )
    body = tag(
        "body",
        tag("main", *contents, class_="fairlead fl-page"),
        tag("script", Markup(script)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def part(*contents: Content) -> str:
    """A part of a page, such as the output of a notebook's cell; it may be there many times."""
    return tag("div", _style(), *contents, tag("script", Markup(page_script())), class_="fairlead fl-part")


def sections_markup(sections: Sequence[Section | Markup]) -> Markup:
    """Sections one after the other; those that are made already are taken as they are."""
    return joined(section.markup() if isinstance(section, Section) else section for section in sections)


def _style() -> Markup:
    return tag("style", Markup(page_style()))


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
