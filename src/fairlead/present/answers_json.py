"""The answers about one model as JSON: what `fairlead check --json` writes (docs/reference/json.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairlead.base.diagnostics import FairleadError
from fairlead.model.assertion import Assertion

if TYPE_CHECKING:
    from fairlead.api.model import Model
    from fairlead.outcome.coverage import Coverage


def answers_json(
    model: Model,
    results: Sequence[Mapping[str, Any]],
    errors: Iterable[tuple[Assertion, FairleadError]],
    coverage: Coverage | None,
) -> dict[str, Any]:
    """The results, and what is wrong with the questions that have none."""
    data: dict[str, Any] = {
        "model": model.name,
        "definitions": model.definitions,
        **({"processes": model.processes} if model.processes else {}),
        "results": list(results),
    }
    problems = [
        {"assertion": question.text, **diagnostic.to_json()}
        for question, error in errors
        for diagnostic in error.diagnostics
    ]
    if problems:
        data["errors"] = problems
    if coverage is not None:
        data["coverage"] = coverage.to_json()
    return data


def failure_json(model: str, error: FairleadError) -> dict[str, Any]:
    """The document for a model that could not be read."""
    return {"model": model, "results": [], "errors": [problem.to_json() for problem in error.diagnostics]}
