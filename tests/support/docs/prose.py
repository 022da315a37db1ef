"""The prose of a page: its text without code, headings and tables, and paragraphs wrapped to a width."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 120

_FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_TARGET = re.compile(r"(?<=\])\([^()\s]*\)")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_TABLE = re.compile(r"^\|.*$", re.MULTILINE)
_REFERENCE = re.compile(r"^\[[^\]]+\]: \S+$", re.MULTILINE)
_IMAGE = re.compile(r"^!\[.*$", re.MULTILINE)
_ITEM = re.compile(r"^( *)([*-]|\d+\.) +(?=\S)")
_NOT_WRAPPED = (_FENCED, _COMMENT, _REFERENCE, _HEADING, _TABLE, _IMAGE)
# a word that would begin a list, a quotation or a heading if it came first on a line
_MARKER = re.compile(r"^(?:[-+*>|]|#+|\d+[.)])$")


def blanked(text: str, *patterns: re.Pattern[str]) -> str:
    """The text with what the patterns match replaced by blanks, line breaks kept: places stay as they are."""
    for pattern in patterns:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def words_of(page: str) -> str:
    """What a page says, in headings and tables too, without code, commands and addresses."""
    return blanked(page, _FENCED, _COMMENT, _CODE, _TARGET, _REFERENCE)


def running_text(page: str) -> str:
    """The paragraphs and lists of a page, without links: where a term can become a link."""
    return blanked(page, _FENCED, _COMMENT, _CODE, _LINK, _REFERENCE, _HEADING, _TABLE)


def long_lines(page: str) -> Iterator[int]:
    """The numbers of the lines that are longer than the width and can be wrapped."""
    text = blanked(page, *_NOT_WRAPPED)
    for number, line in enumerate(text.splitlines(), 1):
        if len(line.rstrip()) > WIDTH and " " in line.strip()[: WIDTH - 20]:
            yield number


def wrapped(page: str) -> str:
    """The page with each paragraph that has too long a line wrapped again."""
    kept = blanked(page, *_NOT_WRAPPED).splitlines()
    lines = page.splitlines()
    long = set(long_lines(page))
    out: list[str] = []
    at = 0
    while at < len(lines):
        end = _paragraph_end(kept, at)
        if long & set(range(at + 1, end + 1)):
            out += _wrap(lines[at:end])
        else:
            out += lines[at:end]
        at = end
    return "\n".join(out) + "\n"


def _paragraph_end(lines: list[str], start: int) -> int:
    """The line after the paragraph or list item that begins here."""
    if not lines[start].strip():
        return start + 1
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _ITEM.match(lines[end]):
        end += 1
    return end


def _wrap(lines: list[str]) -> list[str]:
    quotation = "> " if lines[0].startswith("> ") else ""
    item = _ITEM.match(lines[0])
    first = quotation or (f"{item[1]}{item[2]} " if item else re.match(r" *", lines[0])[0])  # type: ignore[index]
    rest = quotation or " " * len(first)
    head = lines[0][item.end() :] if item else lines[0]
    text = " ".join(line.strip().removeprefix(quotation) for line in [head, *lines[1:]])
    out, line, empty = [], first, True
    for word in _unbreakable(text):
        if not empty and len(line) + 1 + len(word) > WIDTH:
            out.append(line)
            line, empty = rest, True
        line += word if empty else f" {word}"
        empty = False
    return [*out, line]


def _unbreakable(text: str) -> list[str]:
    """The words of a text. A short code span is one word; what would begin a list stays where it is."""
    hidden = _CODE.sub(
        lambda match: match[0].replace(" ", "\0") if len(match[0]) < WIDTH // 2 else match[0], text
    )
    words: list[str] = []
    for word in (part.replace("\0", " ") for part in hidden.split()):
        if words and _MARKER.match(word):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words
