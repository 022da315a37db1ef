"""Reads the explanations of diagnostic codes, notions and verdicts, each from a file in this folder.

These files are the one place where the texts live. `fairlead explain` shows them, and pages of the
documentation are made of them (tests/support/docs/explained.py). A file has a title, its summary in the first
paragraph, and then examples, how to fix it, and what else to read. Links name pages, wherever they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache
from pathlib import Path

from fairlead.base.diagnostics import Code
from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness

_HOME = Path(__file__).parent


class Kind(Enum):
    """The kinds of topics; the value is the folder of the texts."""

    CODE = "codes"
    NOTION = "notions"
    VERDICT = "verdicts"

    @property
    def names(self) -> tuple[str, ...]:
        """The topics, in their order."""
        match self:
            case Kind.CODE:
                return tuple(code.value for code in Code)
            case Kind.NOTION:
                return tuple(notion.value for notion in Fairness)
            case Kind.VERDICT:
                return ("holds", "violated", "unknown", "error", "status")


#: other names of topics: the exit statuses
ALIASES = {
    "0": "holds", "1": "violated", "2": "status", "3": "unknown", "70": "internal",
    "129": "status", "130": "status", "141": "status", "143": "status",
}  # fmt: skip


@dataclass(frozen=True)
class Topic:
    """Something that is explained; `body` is Markdown, without the title and the summary."""

    name: str
    kind: Kind
    summary: str
    body: str


@cache
def topic(name: str) -> Topic:
    """A topic by its name; raises `KeyError` if there is none."""
    name = ALIASES.get(name, name)
    for kind in Kind:
        if name in kind.names:
            text = (_HOME / kind.value / f"{name}.md").read_text(encoding="utf-8")
            _, summary, body = text.split("\n\n", 2)
            return Topic(name, kind, " ".join(summary.split()), body.strip())
    raise KeyError(name)


def topics(kinds: Sequence[Kind] = tuple(Kind)) -> tuple[Topic, ...]:
    """All topics of some kinds."""
    return tuple(topic(name) for kind in kinds for name in kind.names)


def table_rows(found: Topic) -> list[tuple[str, str]]:
    """The rows of the table with two columns in a text, without its head."""
    rows = [row.strip("| ").split(" | ", 1) for row in found.body.splitlines() if row.startswith("|")]
    return [(first, second) for first, second in rows[2:]]


def page(kind: Kind) -> str:
    """A page of the documentation with all topics of a kind; its links lead to pages in one folder."""
    parts = [_part(kind, "_before")]
    parts += [f"## `{found.name}`\n\n{found.summary}\n\n{found.body}\n" for found in topics((kind,))]
    parts.append(_part(kind, "_after"))
    return "\n".join(_linked(part, kind) for part in parts if part)


def _part(kind: Kind, name: str) -> str:
    path = _HOME / kind.value / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


#: the reference to other topics
_SEE = re.compile(r"^See also .*?\.$", re.MULTILINE | re.DOTALL)
#: where the topics of a kind are on the pages
PAGES = {Kind.CODE: "diagnostics.md", Kind.NOTION: "notions.md", Kind.VERDICT: "verdicts.md"}


def _linked(text: str, kind: Kind) -> str:
    """The text with names of other topics made links, where they are to be examined as well."""

    def link(match: re.Match[str]) -> str:
        other = topic(match[1])
        place = "" if other.kind is kind else PAGES[other.kind]
        return f"[`{other.name}`]({place}#{other.name})"

    return _SEE.sub(lambda see: re.sub(r"(?<!\[)`([\w-]+)`", link, see[0]), text)
