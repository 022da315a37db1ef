"""Bounds how much a short text may stand for: definitions that use each other twice double with each line."""

from __future__ import annotations

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached
from fairlead.base.source import Span

#: the definitions that one expression may expand
MOST_EXPANSIONS = 100_000
#: the parts of one composition of processes
MOST_PARTS = 200_000
#: the calls that a process may make before its first event
MOST_CALLS = 20_000
#: the first steps that the text of one process may have
MOST_STEPS = 200_000


def stands_for_too_much(what: str, most: int, parts: str, span: Span) -> LimitReached:
    """The error for a text that stands for more than can be written down."""
    hint = "definitions that use each other several times multiply"
    return LimitReached((Diagnostic(Code.LIMIT, f"{what} has more than {most:,} {parts}", span, hint),))
