"""Everything that is wrong with the processes of an FSP model, once something is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial

from fairlead.base.diagnostics import Diagnostic, InputError, LimitReached, together
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.processes import Processes
from fairlead.lang.fsp.syntax import ProcessReference


def all_problems(error: InputError, declarations: Declarations, processes: Processes) -> InputError:
    """The error, with those of all processes, as they are without arguments."""
    if any(problem.span is None for problem in error.diagnostics):
        return error
    found: list[Diagnostic] = []
    for check in _checks(declarations, processes):
        try:
            check()
        except InputError as other:
            found += [problem for problem in other.diagnostics if problem.span is not None]
        except LimitReached:
            pass  # it may still be small with other arguments
    return InputError(together(error.diagnostics, found))


def _checks(declarations: Declarations, processes: Processes) -> Iterator[Callable[[], object]]:
    for name in declarations.processes:
        yield partial(processes.target, name, (), is_composite=False)
    for name, definition in declarations.composites.items():
        for reference in _references(definition.body):
            yield partial(processes.check_reference, reference)
        yield partial(processes.target, name, (), is_composite=True)


def _references(body: object) -> Iterator[ProcessReference]:
    """The processes that the text of a composite process names."""
    pending = [body]
    while pending:
        part = pending.pop()
        if isinstance(part, ProcessReference):
            yield part
        elif isinstance(part, tuple | list):
            pending += part
        elif is_dataclass(part):
            pending += [getattr(part, item.name) for item in fields(part)]
