"""Reports the errors in texts that the languages have in common, each in one place."""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code, InputError, input_error
from fairlead.base.source import Source, Span
from fairlead.model.types import INT_MAX

#: what is found where the text ends
END_IN_WORDS = "the end of the text"
#: what formulas begin with, and assertions do not
_FORMULA = re.compile(
    r"\s*(\[\]|<>|!|\(|[GFX]\b(?!\s*\()|(always|globally|eventually|finally|never)\b)", re.IGNORECASE
)
#: of longer numbers only the beginning is shown
_LONGEST_NUMBER = 20


def not_a_token(source: Source, position: int, language: str, hint: str | None) -> InputError:
    """The error for a character that begins no token; the hint is for one that is not a quotation mark."""
    character, span = source.text[position], source.span(position, position + 1)
    if character == '"':
        closed = "a string ends with '\"' on the same line"
        return input_error(Code.SYNTAX, "this string is never closed", span, closed)
    shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    return input_error(Code.SYNTAX, f"the character {shown} has no meaning in {language}", span, hint)


def number_too_large(digits: str, span: Span) -> InputError:
    """The error for a number that is not an integer of 32 bits."""
    hint = f"integers have 32 bits: the largest is {INT_MAX}"
    return input_error(Code.SYNTAX, f"the number {shortened(digits)} is too large", span, hint)


def shortened(digits: str) -> str:
    """A number as messages show it."""
    return digits if len(digits) <= _LONGEST_NUMBER else f"{digits[: _LONGEST_NUMBER - 3]}..."


def formula_hint(text: str) -> str | None:
    """The hint for a text that looks like a formula alone, where an assertion is expected."""
    is_formula = _FORMULA.match(text) is not None and "|=" not in text
    return (
        "a formula alone is given with --ltl; an assertion names the process: 'P |= …'"
        if is_formula
        else None
    )


def unknown_process(name: str, span: Span | None, hint: str | None) -> InputError:
    """The error for a process that the model does not define."""
    return input_error(Code.UNKNOWN_NAME, f"there is no process '{name}'", span, hint)


def defined_by_itself(what: str, span: Span) -> InputError:
    """The error for a definition that needs itself."""
    return input_error(Code.UNGUARDED_RECURSION, f"{what} is defined by itself", span)


def no_type(name: str, span: Span, hint: str | None = None) -> InputError:
    """The error for a type that is not there."""
    return input_error(Code.UNKNOWN_NAME, f"there is no type '{name}'", span, hint)


def no_array(name: str, span: Span) -> InputError:
    """The error for an index of something else than an array."""
    return input_error(Code.TYPE, f"'{name}' is not an array", span)


def comment_not_closed(span: Span) -> InputError:
    """The error for a comment without an end."""
    return input_error(Code.SYNTAX, "this comment is never closed", span, "a comment ends with '*/'")


def no_annotations(language: str) -> InputError:
    """The error where annotations cannot be written."""
    hint = "give what is assumed to --fair when the model is checked"
    return input_error(Code.USAGE, f"{language} has no fairness annotations", hint=hint)
