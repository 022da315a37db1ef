"""Offers quick fixes: the edits that the hints of diagnostics propose."""

from __future__ import annotations

from pathlib import Path

from fairlead.base.diagnostics import Diagnostic
from fairlead.base.records import dataclass
from fairlead.lang.editing import Extent
from fairlead.service.diagnostics import own_problems
from fairlead.service.documents import Document, Workspace
from fairlead.service.rename import Edit


@dataclass(frozen=True)
class QuickFix:
    """A proposal in words, the problem that it is for, and the edit."""

    title: str
    problem: Diagnostic
    edit: Edit


def fixes(workspace: Workspace, document: Document, part: Extent) -> tuple[QuickFix, ...]:
    """The fixes for problems that touch a part of a document."""
    found: list[QuickFix] = []
    for problem in own_problems(workspace, document):
        fix = problem.fix
        if fix is None or problem.span is None or fix.span.source.text != document.text:
            continue
        if problem.span.start <= part.end and part.start <= problem.span.end:
            path = Path(fix.span.source.name)
            edit = Edit(path, Extent(fix.span.start, fix.span.end), fix.replacement)
            title = f"{fix.span.text} → {fix.replacement}" if fix.span.text else f"+ {fix.replacement}"
            found.append(QuickFix(title, problem, edit))
    return tuple(found)
