"""Everything that can go wrong, as values: a diagnostic has a code, a message, a place and a hint.

Each kind of problem is defined once, in `Code`. A front end that shows a problem (terminal, JSON, an editor)
renders the same `Diagnostic`; no program parses message texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any, Self

from fairlead.base.records import dataclass
from fairlead.base.source import Span

#: what parsers of formulas expect after a whole one
AFTER_FORMULA = "an operator or the end of the formula"


class Code(Enum):
    """The kinds of problems; the value is the code users see, the docs list each with an example."""

    SYNTAX = "syntax"
    UNKNOWN_NAME = "unknown-name"
    NAME_CLASH = "name-clash"
    TYPE = "type"
    ARITY = "arity"
    NOT_CONSTANT = "not-constant"
    RANGE = "range"
    UNSUPPORTED = "unsupported"
    OTHER_MODULE = "other-module"
    OTHER_LANGUAGE = "other-language"
    UNGUARDED_RECURSION = "unguarded-recursion"
    ALPHABET = "alphabet"
    EMPTY_RANGE = "empty-range"
    OUT_OF_RANGE = "value-out-of-range"
    INDEX_OUT_OF_BOUNDS = "index-out-of-bounds"
    DIVISION_BY_ZERO = "division-by-zero"
    OVERFLOW = "overflow"
    ENDLESS_OPERATION = "endless-operation"
    ASSERTION = "assertion"
    CALL_FAILED = "call-failed"
    LIBRARY = "library"
    FORMULA = "formula"
    PRECEDENCE = "precedence"
    NO_EFFECT = "no-effect"
    NEVER_HAPPENS = "never-happens"
    NOT_SHARED = "not-shared"
    CONSTANT_CONDITION = "constant-condition"
    UNUSED = "unused"
    COUNTERS = "counters"
    SYMMETRY = "symmetry"
    GRAPH = "graph"
    EVIDENCE = "evidence"
    USAGE = "usage"
    FILE = "file"
    CHECKPOINT = "checkpoint"
    LIMIT = "limit"
    INTERNAL = "internal"


#: those that a model can meet only while it runs, and an expression that mixes types as well
FAULT_CODES = (
    Code.OUT_OF_RANGE,
    Code.INDEX_OUT_OF_BOUNDS,
    Code.DIVISION_BY_ZERO,
    Code.OVERFLOW,
    Code.ENDLESS_OPERATION,
    Code.ASSERTION,
    Code.CALL_FAILED,
    Code.TYPE,
)


class Severity(Enum):
    """Whether a problem ends the work or is only worth knowing."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Related:
    """A second place that helps to understand a problem."""

    message: str
    span: Span


class Replacement(str):
    """A hint that says what to write instead: `wrong`, in the place of the problem, becomes `right`.

    With an offset `at`, `right` is missing there.
    """

    wrong: str
    right: str
    at: int | None

    def __new__(cls, hint: str, wrong: str, right: str, at: int | None = None) -> Self:
        """A hint with what it means."""
        found = super().__new__(cls, hint)
        found.wrong, found.right, found.at = wrong, right, at
        return found


@dataclass(frozen=True)
class Fix:
    """A change that a hint proposes: what stands in a place is replaced."""

    span: Span
    replacement: str


@dataclass(frozen=True)
class Diagnostic:
    """One problem with a model, a formula, a file or a command."""

    code: Code
    message: str
    span: Span | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()
    severity: Severity = Severity.ERROR

    @property
    def fix(self) -> Fix | None:
        """The change that the hint proposes, if it is a definite one."""
        if self.span is None or not isinstance(self.hint, Replacement):
            return None
        if self.hint.at is not None:
            return Fix(self.span.source.span(self.hint.at, self.hint.at), self.hint.right)
        wrong = re.escape(self.hint.wrong)
        whole = rf"(?<!\w){wrong}(?!\w)" if self.hint.wrong[:1].isalpha() else wrong
        match = re.compile(whole).search(self.span.source.text, self.span.start, self.span.end)
        if match is None:
            return None
        return Fix(self.span.source.span(match.start(), match.end()), self.hint.right)

    def render(self) -> str:
        """The problem as text: where, what, the source line with the place marked, and a hint."""
        where = f"{self.span}: " if self.span else ""
        lines = [f"{where}{self.severity.value}[{self.code.value}]: {self.message}"]
        if self.span:
            lines += _excerpt(self.span)
        for other in self.related:
            lines.append(f"{other.span}: note: {other.message}")
            lines += _excerpt(other.span)
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The problem for programs."""
        data: dict[str, Any] = {
            "code": self.code.value,
            "severity": self.severity.value,
            "message": self.message,
        }
        if self.span:
            data |= self.span.to_json()
        if self.hint:
            data["hint"] = self.hint
        if self.related:
            data["related"] = [{"message": other.message, **other.span.to_json()} for other in self.related]
        return data


#: no more of a source line than this is shown
_SHOWN_WIDTH = 100


def _excerpt(span: Span) -> list[str]:
    """The source line with the place marked: a part of it, if it is long."""
    text = span.source.line(span.line)
    first = max(0, span.column - 1 - _SHOWN_WIDTH // 2) if len(text) > _SHOWN_WIDTH else 0
    before, shown = "…" if first else "", text[first : first + _SHOWN_WIDTH]
    after = "…" if first + _SHOWN_WIDTH < len(text) else ""
    offset = span.column - 1 - first
    width = max(1, min(span.end - span.start, len(shown) - offset))
    number = str(span.line)
    margin = " " * len(number)
    # tabs are kept in the margin below, so that the marker stands under its text in any terminal
    indent = " " * len(before) + "".join("\t" if c == "\t" else " " for c in shown[:offset])
    return [f"  {number} | {before}{_printable(shown)}{after}", f"  {margin} | {indent}{'^' * width}"]


def _printable(text: str) -> str:
    """The text without characters that could do things to a terminal."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


#: no more problems than this are shown as text at a time
MOST_SHOWN = 50


class FairleadError(Exception):
    """Ends the work because of one or more problems."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        shown = [diagnostic.render() for diagnostic in self.diagnostics[:MOST_SHOWN]]
        rest = len(self.diagnostics) - MOST_SHOWN
        return "\n".join(shown if rest <= 0 else [*shown, f"and {counted(rest, 'more problem')}"])


class InputError(FairleadError):
    """The model, the formula, a file or the command is wrong (exit status 2)."""


class LimitReached(FairleadError):
    """The question cannot be answered within the limits given (exit status 3)."""


class InternalError(FairleadError):
    """Fairlead contradicted itself: never the user's fault, never passed over in silence."""


def input_error(
    code: Code,
    message: str,
    span: Span | None = None,
    hint: str | None = None,
    related: tuple[Related, ...] = (),
) -> InputError:
    """An `InputError` with one diagnostic."""
    return InputError((Diagnostic(code, message, span, hint, related),))


def together(first: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Problems in the order of the text; of several at one place, those of `first` are kept."""
    found: dict[object, Diagnostic] = {}
    for problem in (*first, *others):
        found.setdefault(problem.message if problem.span is None else str(problem.span), problem)
    return tuple(sorted(found.values(), key=lambda problem: _place(problem.span)))


def _place(span: Span | None) -> tuple[str, int]:
    return ("", -1) if span is None else (span.source.name, span.start)


def counted(count: int, noun: str) -> str:
    """`1 argument`, `2 arguments`, `3 processes`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{count} {noun}s"


def has_more_than(count: int, what: str) -> str:
    """Why something is not done with a system, or with a part of it, that is too large."""
    return f"it has more than {count} {what}"


def unreached(error: FairleadError) -> str:
    """Why texts are not followed wherever guards might lead: an error there need not be one of any run."""
    return f"there is an error where processes may or may not get: {error.diagnostics[0].message}"


def listed(names: Sequence[str], last: str) -> str:
    """`a, b or c`."""
    return " ".join([", ".join(names[:-1]), last, names[-1]]) if len(names) > 1 else "".join(names)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the known name most like `name`, if one is near."""
    import difflib  # rarely needed

    names = list(known)
    found = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if not found:
        found = [candidate for candidate in names if candidate.lower() == name.lower()][-1:]
    return Replacement(f"did you mean '{found[0]}'?", name, found[0]) if found else None
