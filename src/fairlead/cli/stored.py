"""Reads results that `check --json` wrote, and chooses one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.files import cannot_read
from fairlead.base.forms import Form, problem_with_version
from fairlead.base.json_text import NotJson, parse_json
from fairlead.base.source import Source


def check_form(result: dict[str, Any]) -> None:
    """Refuses a stored result with evidence that has not the form of one."""
    texts = isinstance(result.get("assertion"), str) and isinstance(result.get("fairness"), str)
    if not texts or not isinstance(result["evidence"], dict):
        raise input_error(
            Code.EVIDENCE, "a result has an 'assertion', a 'fairness' and an 'evidence' with a run"
        )


def read_results(path: Path) -> dict[str, Any]:
    """The results in a file that `check --json` wrote."""
    try:
        text = path.read_text(encoding="utf-8")
        stored = parse_json(text)
    except OSError as error:
        raise cannot_read(path, error) from None
    except UnicodeDecodeError as error:
        raise input_error(Code.EVIDENCE, f"'{path}' is not JSON: {error}") from None
    except NotJson as error:
        span = None if error.place is None else Source(str(path), text).span(error.place, error.place + 1)
        raise input_error(Code.EVIDENCE, f"'{path}' is not JSON: {error.message}", span) from None
    if isinstance(stored, dict):
        problem = problem_with_version(Form.CHECK, stored.get("schema"), str(path), Code.EVIDENCE)
        if problem is not None:
            raise problem
    if not isinstance(stored, dict) or not isinstance(stored.get("results"), list):
        raise input_error(Code.EVIDENCE, f"'{path}' has no list of results; write it with check --json")
    for key in ("definitions", "processes"):
        chosen = stored.get(key, {})
        if not isinstance(chosen, dict) or not all(isinstance(value, str | int) for value in chosen.values()):
            raise input_error(Code.EVIDENCE, f"'{path}': '{key}' is not an object with a value for each name")
    return stored


def chosen_result(path: Path, results: list[Any], number: int | None, purpose: str) -> dict[str, Any]:
    """The result to work with: the one asked for, or the only one that has evidence."""
    if number is not None and number > len(results):
        raise input_error(Code.USAGE, f"there is no result {number}; '{path}' has {len(results)}")
    numbers = range(1, len(results) + 1) if number is None else (number,)
    found = [
        (index, results[index - 1])
        for index in numbers
        if isinstance(results[index - 1], dict) and results[index - 1].get("evidence") is not None
    ]
    if not found:
        which = f"'{path}' has no evidence" if number is None else f"result {number} has no evidence"
        raise input_error(Code.EVIDENCE, f"{which} to {purpose}")
    if len(found) > 1:
        shown = "; ".join(
            f"{index}: {result.get('assertion')} [{result.get('fairness')}]" for index, result in found
        )
        raise input_error(
            Code.USAGE,
            f"{len(found)} results of '{path}' have evidence",
            hint=f"choose one with --result: {shown}",
        )
    chosen: dict[str, Any] = found[0][1]
    check_form(chosen)
    return chosen
