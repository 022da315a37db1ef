"""What tools take: JSON schemas of their arguments, and what is wrong with arguments that do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from fairlead.lang.registry import SUFFIXES
from fairlead.logic.fairness.notions import Fairness

#: so much of an argument that does not fit is shown
_SHOWN = 200
_NOTIONS = ", ".join(notion.value for notion in Fairness)

MODEL: dict[str, Any] = {
    "file": {
        "type": "string",
        "minLength": 1,
        "description": "A model in the folder of the server, by its path from there. Its suffix says in "
        f"which language it is: {', '.join(SUFFIXES)}.",
    },
    "text": {"type": "string", "description": "A model as text, instead of a file."},
    "language": {
        "enum": [suffix.removeprefix(".") for suffix in SUFFIXES],
        "description": "The language of the text: csp is CSP# (as of PAT), lts is FSP (as of LTSA), aut and "
        "json are plain graphs. The default is csp.",
    },
    "definitions": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": 'Other values for constants of the model, as {"N": "4"}.',
    },
}
LIMITS: dict[str, Any] = {
    "timeout": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds; the default is 60."},
    "max_memory": {"type": "string", "description": 'Memory as "500M" or "2G"; the default is 2G.'},
    "max_states": {"type": "integer", "minimum": 1, "description": "States; the default is 5,000,000."},
}
ASSERTIONS: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "maxItems": 100,
    "description": 'Assertions such as "System() |= []<> cs.0", or their numbers in the model, from "1". '
    "Without any, all that the model asserts are meant.",
}
FAIRNESS: dict[str, Any] = {
    "type": "string",
    "description": f"Notions of fairness, separated by commas ({_NOTIONS}), or all.",
}
FAIR: dict[str, Any] = {
    "type": "string",
    "description": 'A fairness formula: a boolean combination of "infinitely often" (GF) and "almost '
    'always" (FG), such as "GF executed(a) || FG !enabled(a)".',
}
PROCESS: dict[str, Any] = {"type": "string", "description": 'A process of the model, such as "System()".'}


def of_object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    """The schema of arguments."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def complaint(schema: Mapping[str, Any], given: Mapping[str, Any]) -> str | None:
    """What is wrong with arguments, in a line for each problem; None if nothing is."""
    problems = sorted(Draft202012Validator(schema).iter_errors(given), key=str)
    lines = []
    for problem in problems:
        where = ".".join(str(part) for part in problem.absolute_path)
        message = problem.message
        shown = message if len(message) <= _SHOWN else f"{message[: _SHOWN - 1]}…"
        lines.append(f"{where}: {shown}" if where else shown)
    return "\n".join(lines) or None
