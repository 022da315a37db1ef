"""Reads pages: a tree of elements, which must be well formed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_VOID = {"meta", "br", "hr", "col"}


@dataclass
class Element:
    """An element with what is in it."""

    name: str
    attributes: dict[str, str | None]
    parent: Element | None = None
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    @property
    def text(self) -> str:
        """The text in it, but for style sheets and scripts."""
        if self.name in ("style", "script"):
            return ""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def source(self) -> str:
        """What is written in a style sheet or script."""
        return "".join(child for child in self.children if isinstance(child, str))

    def walk(self) -> Iterator[Element]:
        """It and all elements in it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, name: str | None = None, cls: str | None = None) -> list[Element]:
        """The elements in it of a name or class."""
        return [
            found
            for found in self.walk()
            if (name is None or found.name == name) and (cls is None or cls in found.classes)
        ]

    def one(self, name: str | None = None, cls: str | None = None) -> Element:
        found = self.all(name, cls)
        assert len(found) == 1, (name, cls, len(found))
        return found[0]

    @property
    def data(self) -> dict[str, Any]:
        """What is told to the script about a run."""
        found: dict[str, Any] = json.loads(self.one("script", "fl-data").source)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("root", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self.open[-1])
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in [element.name for element in self.open], f"<{tag}/> outside of a picture"
        self.open[-1].children.append(Element(tag, dict(attrs), self.open[-1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> ends <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(text: str) -> Element:
    """The tree of a page, or of a part of one; names in it are there once, and links lead somewhere."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root], f"not ended: {[element.name for element in reader.open[1:]]}"
    names = [str(element.attributes["id"]) for element in reader.root.walk() if "id" in element.attributes]
    assert len(set(names)) == len(names), "a name is there twice"
    for link in reader.root.all("a"):
        assert (link.attributes["href"] or "").removeprefix("#") in names, link.attributes
    return reader.root
