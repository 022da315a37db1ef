"""Finds everything that is wrong with the text of an FSP model, once something is.

Definitions that cannot be read, or clash with others, are left out. What is unknown only for that reason is
not reported, so that one mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial

from fairlead.base.diagnostics import Diagnostic, InputError, LimitReached, together
from fairlead.lang.fsp.elaborate.declarations import Declarations
from fairlead.lang.fsp.elaborate.formulas import FormulaElaborator
from fairlead.lang.fsp.elaborate.processes import Processes
from fairlead.lang.fsp.elaborate.scopes import instance_scope
from fairlead.lang.fsp.syntax import ProcessReference, ProgressDefinition


def all_problems(
    error: InputError,
    declarations: Declarations,
    processes: Processes,
    tests_of: Callable[[ProgressDefinition], object],
) -> InputError:
    """The error, with those of all processes and formulas, as they are without arguments.

    `tests_of` elaborates a progress property.
    """
    if any(problem.span is None for problem in error.diagnostics):
        return error
    found: list[Diagnostic] = []
    checks = [*_checks(declarations, processes), *_formula_checks(declarations)]
    checks += [partial(tests_of, definition) for definition in declarations.progress.values()]
    for check in checks:
        try:
            check()
        except InputError as other:
            found += [
                problem
                for problem in other.diagnostics
                if problem.span is not None and not declarations.follows(problem)
            ]
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


def _formula_checks(declarations: Declarations) -> Iterator[Callable[[], object]]:
    for name, definition in declarations.asserts.items():
        scope = instance_scope(declarations, name, definition.parameters, (), definition.span)
        yield partial(FormulaElaborator(declarations).text, definition.formula, scope)


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
