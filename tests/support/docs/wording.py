"""The words that the project's texts avoid, as `words_to_avoid.txt` lists them, and where they occur."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tests.support.docs.prose import words_of
from tests.support.places import ROOT


@dataclass(frozen=True)
class Rule:
    """A regular expression for words to avoid, where one blank stands for any, and what to write instead."""

    avoid: str
    instead: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(rf"(?<![\w-])(?:{self.avoid})(?![\w-])", re.IGNORECASE)


def _rules() -> Iterator[Rule]:
    for line in (Path(__file__).parent / "words_to_avoid.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield Rule(*line.split(" => "))


RULES = tuple(_rules())

#: patterns of files whose texts have not been revised yet; nothing may be added
EXEMPT = (
    "CHANGELOG.md",
    "docs/explanation/architecture.md",
    "docs/explanation/decisions/0001-record-decisions.md",
    "docs/explanation/decisions/0002-dependencies.md",
    "docs/explanation/decisions/0003-rooms.md",
    "docs/explanation/decisions/0004-kinds-strategies-notions.md",
    "docs/explanation/performance.md",
    "docs/explanation/reduction.md",
    "docs/how-to/coming-from-spin.md",
    "docs/reference/cli.md",
    "docs/reference/json.md",
    "docs/reference/service.md",
    "examples/*/*",
    "native/*/*",
)


def findings(text: str) -> Iterator[tuple[int, str, str]]:
    """The line, the words and what to write instead, of each use of a word to avoid in a page."""
    numbered = enumerate(words_of(text).splitlines(), 1)
    words = [(word, number) for number, line in numbered for word in line.split()]
    said = " ".join(word for word, _ in words)
    lines = [number for word, number in words for _ in range(len(word) + 1)]
    for rule in RULES:
        for match in rule.pattern.finditer(said):
            yield lines[match.start()], match[0], rule.instead


def exempt(path: Path) -> bool:
    """Whether the texts of a file are still to be revised."""
    name = path.relative_to(ROOT).as_posix()
    return any(fnmatch(name, pattern) for pattern in EXEMPT)


def texts_of(path: Path) -> str:
    """What a file says to people: all of a page; the comments, docstrings and messages of code."""
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py" | ".pyi":
            return _python_texts(text)
        case ".cpp" | ".hpp":
            return _cpp_texts(text)
        case _:
            return text


def _python_texts(text: str) -> str:
    lines = [""] * (text.count("\n") + 2)
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", -1)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        # a literal without a blank is a name for programs
        if token.type in kinds and " " in token.string:
            for offset, part in enumerate(token.string.splitlines()):
                lines[token.start[0] + offset] += f" {part.strip('#: ')}"
    return "\n".join(lines[1:])


def _cpp_texts(text: str) -> str:
    said = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
    kept = ["\n" if letter == "\n" else " " for letter in text]
    for match in said.finditer(text):
        kept[match.start() : match.end()] = [" " if letter in "/*" else letter for letter in match[0]]
    return "".join(kept)
