"""Recognises texts that are not CSP# at all, so that their author is not led through its syntax errors.

Asked only after a text turned out not to be CSP#, so a wrong guess can spoil a message but never a model.
"""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.records import dataclass
from fairlead.base.source import Source

_ENOUGH = 2
# what CSPM does not have: directives, and comments as in C
_NOT_CSPM = re.compile(r"^[ \t]*(?:#[ \t]*(?:assert|define|import|include|alphabet)\b|//|/\*)", re.MULTILINE)


@dataclass(frozen=True)
class _Sign:
    """Something CSPM has and CSP# has not, and how much it says."""

    pattern: re.Pattern[str]
    weight: int


def _sign(pattern: str, weight: int) -> _Sign:
    return _Sign(re.compile(pattern, re.MULTILINE), weight)


_SIGNS_OF_CSPM = (
    _sign(r"^[ \t]*--(?![;)}\]])", 2),
    _sign(r"\|~\||\[\|(?!\|)", 2),
    _sign(r"\[(?:T|F|FD|R|V)=", 2),
    _sign(r":\[[ \t]*(?:deadlock|divergence|livelock|deterministic|has[ \t]+trace)", 2),
    _sign(r"^[ \t]*(?:datatype|nametype|subtype|transparent)\b", 2),
    _sign(r"^[ \t]*channel[ \t]+\w+(?:[ \t]*,[ \t]*\w+)*[ \t]*:", 2),
    _sign(r"^[ \t]*channel[ \t]+\w+(?:[ \t]*,[ \t]*\w+)*[ \t]*$", 1),
    _sign(r"^[ \t]*assert\b(?![ \t]*\()", 1),
    _sign(r'^[ \t]*include[ \t]+"', 1),
    _sign(r"^[ \t]*(?:let|within)\b", 1),
    _sign(r"\{\||\|\}|<-", 1),
    _sign(r"\b(?:STOP|SKIP)\b", 1),
)


def explain_by_other_language(source: Source) -> InputError | None:
    """The refusal of a text that is in another language, if it looks like one that is known."""
    text = source.text.lstrip("\ufeff").lstrip()
    start = len(source.text) - len(text)
    if re.match(r"<[?!A-Za-z]", text):
        drawn = "<LTS" in text or "<TA" in text
        language = "XML, as PAT's graphical modules write it" if drawn else "XML or HTML"
        return _refusal(source, language, start, start + 1)
    if re.match(r'\{\s*"', text):
        return _refusal(source, "JSON", start, start + 1)
    if text.startswith("```"):
        hint = "remove the lines with '```' around the model"
        return input_error(
            Code.OTHER_LANGUAGE, "this looks like Markdown", source.span(start, start + 3), hint
        )
    return _cspm(source)


def _cspm(source: Source) -> InputError | None:
    if _NOT_CSPM.search(source.text):
        return None
    found = [(match, sign.weight) for sign in _SIGNS_OF_CSPM if (match := sign.pattern.search(source.text))]
    if sum(weight for _, weight in found) < _ENOUGH:
        return None
    first = min((match for match, _ in found), key=lambda match: match.start())
    blanks = len(first.group()) - len(first.group().lstrip())
    return _refusal(source, "CSPM, the input of FDR and ProB", first.start() + blanks, first.end())


def _refusal(source: Source, language: str, start: int, end: int) -> InputError:
    message = f"this looks like {language}, not like CSP#"
    hint = "CSP# is the language of PAT: '#define N 3; P = a -> P; #assert P deadlockfree;'"
    return input_error(Code.OTHER_LANGUAGE, message, source.span(start, end), hint)
