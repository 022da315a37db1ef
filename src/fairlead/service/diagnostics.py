"""Everything that is wrong with a document, or worth knowing about it, at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import (
    Code,
    Diagnostic,
    FairleadError,
    InputError,
    LimitReached,
    Severity,
    together,
)
from fairlead.checker.context import Context
from fairlead.checker.questions import Questions
from fairlead.lang.language import LoadedModel
from fairlead.lang.registry import load_text
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Limits, within
from fairlead.service.documents import Document, Workspace

if TYPE_CHECKING:
    from fairlead.model.composition import MachineTools

#: a model is examined for so long, and no longer
LIMITS = Limits(timeout=5.0, max_memory=2 << 30)


class Superseded(Exception):
    """The answer is not needed any more: the text has changed meanwhile."""


def problems(
    workspace: Workspace,
    document: Document,
    limits: Limits = LIMITS,
    interruption: threading.Event | None = None,
) -> tuple[Diagnostic, ...]:
    """The problems of a document and of what it includes, errors and warnings, in the order of the text.

    Nothing is explored: a check reports what only an execution shows. Python files are not run. When
    another thread sets the `interruption`, it raises `Superseded` soon.
    """
    if not document.is_model:
        return ()
    work = partial(_problems, workspace, document, limits, interruption)
    return workspace.remembered("problems", document, work)


def own_problems(workspace: Workspace, document: Document) -> tuple[Diagnostic, ...]:
    """Those that are in the document itself; those without a place are shown at its beginning."""
    found = problems(workspace, document)
    return tuple(one for one in found if one.span is None or one.span.source.name == str(document.path))


def _problems(
    workspace: Workspace, document: Document, limits: Limits, interruption: threading.Event | None
) -> tuple[Diagnostic, ...]:
    def load() -> LoadedModel:
        return load_text(document.text, str(document.path), document.suffix, {}, (), reducing_tools)

    with workspace.overlay():
        return problems_of(load, limits, interruption)


def problems_of(
    load: Callable[[], LoadedModel], limits: Limits = LIMITS, interruption: threading.Event | None = None
) -> tuple[Diagnostic, ...]:
    """The problems of a model that the caller loads in its own way, as `problems` finds them."""
    found: list[Diagnostic] = []
    try:
        with within(limits, Phase.READING, interruption):
            _read(load, found)
    except LimitReached as limit:
        if interruption is not None and interruption.is_set():
            raise Superseded from None
        found += [_as_warning(problem) for problem in limit.diagnostics]
    except FairleadError as error:
        found += error.diagnostics
    return together((one for one in found if one.severity is Severity.ERROR), found)


def _read(load: Callable[[], LoadedModel], found: list[Diagnostic]) -> None:
    loaded = load()
    errors: list[Diagnostic] = []
    _collect(lambda: _raise(loaded), errors)
    questions = Questions(Context(loaded, loaded.warnings))
    asked: list[object] = []
    _collect(lambda: asked.extend(loaded.assertions), errors)
    for question in loaded.assertions if not errors or asked else ():
        _collect(partial(questions.query, question, None, None), errors)
        if not errors:
            _collect(partial(loaded.system, question.process), errors)
    found += errors
    found += loaded.warnings


def _raise(loaded: LoadedModel) -> None:
    """Raises what is wrong in a model that could be loaded."""
    everything = loaded.with_all_problems(InputError(()))
    if everything.diagnostics:
        raise everything


def _collect(work: Callable[[], object], errors: list[Diagnostic]) -> None:
    try:
        work()
    except InputError as error:
        errors += error.diagnostics


def _as_warning(problem: Diagnostic) -> Diagnostic:
    return Diagnostic(
        Code.LIMIT, problem.message, problem.span, problem.hint, problem.related, Severity.WARNING
    )


def reducing_tools() -> MachineTools:
    """What a model needs that composes machines while it is loaded."""
    from fairlead.reduce.tools import ReducingTools

    return ReducingTools()
