"""Makes HTML that is safe by construction: everything that `tag` has not made is text, and is escaped."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator

from fairlead.present.draw.text import printable

#: elements without contents
_VOID = frozenset({"br", "col", "hr", "meta"})


class Markup(str):
    """A piece of HTML; every other text is escaped before it becomes part of one."""

    __slots__ = ()


Content = str | Iterable["Content"] | None


def tag(name: str, /, *contents: Content, **attributes: str | int | bool | None) -> Markup:
    """An element.

    Attributes are given with `_` for `-`, and `class_` for `class`; those that are None or False are left
    out, and True has no value.
    """
    shown = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{joined(*contents)}</{name}>")


def joined(*contents: Content) -> Markup:
    """Pieces one after the other; iterables are flattened, None is nothing."""
    return Markup("".join(map(_escaped, contents)))


def separated(pieces: Iterable[Content], separator: str = ", ") -> Markup:
    """Pieces with a text between them."""
    return Markup(html.escape(separator).join(_escaped(piece) for piece in pieces))


def embedded(data: object) -> Markup:
    """A value as JSON in the middle of a page: nothing in it ends the element that it is in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _escaped(content: Content) -> str:
    if content is None:
        return ""
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return html.escape(printable(content))
    return "".join(map(_escaped, content))


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{html.escape(printable(str(value)))}"'


def line_items(lines: Iterable[str]) -> Iterator[Markup]:
    """Lines of text as items of a list; indented ones stay so, in two levels."""
    for line in lines:
        indent = len(line) - len(line.lstrip())
        yield tag("li", line.strip(), class_=(None, "fl-deeper", "fl-deepest")[min(2, (indent + 1) // 2)])
