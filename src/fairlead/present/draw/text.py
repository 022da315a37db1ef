"""Texts in drawings: how wide they are, how they are shortened, and what XML cannot hold."""

from __future__ import annotations

import re
import unicodedata

FONT_SIZE = 12.0
LINE_HEIGHT = 15.0
#: labels, and headings of legends, that are longer are shortened; the whole text is in the tooltip
LONGEST_LABEL = 28
LONGEST_HEADING = 72

# shares of the font size; those of a wide sans-serif face, so that texts fit in narrower ones too
_WIDTHS = {
    **dict.fromkeys("ijlI'|.,:;!`", 0.35),
    **dict.fromkeys('frt()[]{}-/\\ "', 0.43),
    **dict.fromkeys("mMW@%…", 1.0),
    **dict.fromkeys("w&+<>=~#^→", 0.84),
}
_DIGIT_OR_SMALL, _CAPITAL, _FULL = 0.64, 0.77, 1.0
# what XML 1.0 does not allow, what a label must not contain, and halves of surrogate pairs
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """The text on one line, without characters that an XML document cannot hold."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def width(text: str) -> float:
    """How wide a text is at most, in the units of the drawing."""
    return FONT_SIZE * sum(_share(character) for character in text)


def _share(character: str) -> float:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if character.isascii():
        return _CAPITAL if character.isupper() else _DIGIT_OR_SMALL
    if unicodedata.combining(character):
        return 0.0
    return _FULL if unicodedata.east_asian_width(character) in "WF" else _CAPITAL


def shortened(text: str, most: int = LONGEST_LABEL) -> str:
    """The beginning and the end of a long text, which distinguish more labels than the beginning alone."""
    if len(text) <= most:
        return text
    end = (most - 1) // 3
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"
