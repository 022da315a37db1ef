"""What comes with fairlead to be read: pages of the manual, section by section, and example models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable

from fairlead.base.records import dataclass
from fairlead.base.shipped import shipped
from fairlead.lang.registry import SUFFIXES
from fairlead.papers.models import examples as home_of_examples

#: the folders of pages, the most needed first
_FOLDERS = ("reference", "how-to", "tutorial", "explanation")
_COMMENT = re.compile(r"^\s*(?://+|\*|/\*+)?\s?(.*?)\s*(?:\*/)?$")


@dataclass(frozen=True)
class Page:
    """A page of the manual in Markdown; its name is `reference/csp`."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """Its heading."""
        return self.text.partition("\n")[0].lstrip("# ").strip()

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings below that, of all levels, in their order."""
        return tuple(heading for _, heading, _ in _headings(self.text))[1:]

    def section(self, heading: str) -> str | None:
        """The part of the page under a heading, with the parts under it; None if there is no such heading."""
        wanted = _plain(heading)
        found = list(_headings(self.text))
        for number, (level, title, start) in enumerate(found):
            if _plain(title) == wanted:
                after = (begin for deeper, _, begin in found[number + 1 :] if deeper <= level)
                return self.text[start : next(after, len(self.text))].strip() + "\n"
        return None


@dataclass(frozen=True)
class Example:
    """A model to read and to run; its name is a path such as `mutual_exclusion/peterson.csp`."""

    name: str
    text: str

    @property
    def about(self) -> str:
        """What it says about itself at its beginning, in a line; empty if it says nothing."""
        first = self.text.lstrip()
        if not first.startswith(("/", "*")):
            return ""
        match = _COMMENT.match(first.partition("\n")[0])
        return "" if match is None else match[1]


def pages() -> tuple[Page, ...]:
    """The pages, by folders."""
    home = shipped("manual", "docs")
    return tuple(
        Page(f"{folder}/{file.name.removesuffix('.md')}", _text(file))
        for folder in _FOLDERS
        for file in _files(home / folder)
        if file.name.endswith(".md")
    )


def page(name: str) -> Page | None:
    """A page by its name: `reference/csp`, or `csp` if no other folder has such a page before."""
    wanted = name.strip().lower().removesuffix(".md").removeprefix("docs/")
    for found in pages():
        if wanted in (found.name, found.name.partition("/")[2]):
            return found
    return None


@cache
def examples() -> tuple[Example, ...]:
    """The example models, by their names."""
    return tuple(
        Example(f"{folder.name}/{file.name}", _text(file))
        for folder in _folders(home_of_examples())
        for file in _files(folder)
        if any(file.name.endswith(suffix) for suffix in SUFFIXES)
    )


def example(name: str) -> Example | None:
    """An example by its name, or by the name of its file."""
    wanted = name.strip().removeprefix("examples/")
    found = (one for one in examples() if wanted in (one.name, one.name.partition("/")[2]))
    return next(found, None)


def _folders(home: Traversable) -> list[Traversable]:
    return sorted((one for one in home.iterdir() if one.is_dir()), key=lambda one: one.name)


def _files(folder: Traversable) -> list[Traversable]:
    found = (one for one in folder.iterdir() if one.is_file()) if folder.is_dir() else ()
    return sorted(found, key=lambda one: one.name)


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


def _headings(text: str) -> Iterator[tuple[int, str, int]]:
    """The headings of a page outside of its blocks: level, title, and where it begins."""
    start, is_block = 0, False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("```"):
            is_block = not is_block
        match = None if is_block else re.match(r"(#+)\s+(.*?)\s*$", line)
        if match is not None:
            yield len(match[1]), match[2], start
        start += len(line)


def _plain(heading: str) -> str:
    return re.sub(r"[`*]", "", heading).strip().lower()
