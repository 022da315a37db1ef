"""JSON that commands write, to be held against its schema; and what must not pass as such."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from jsonschema import Draft202012Validator

from fairlead.base.forms import Form
from fairlead.cli.main import run
from fairlead.present.schemas import schema_text
from tests.support.places import EXAMPLES

MODELS = sorted(
    path
    for path in EXAMPLES.rglob("*")
    if path.suffix in (".csp", ".lts", ".aut", ".json") and path.is_file()
)

#: objects whose keys are names of the model
MAPS = {"definitions", "processes", "variables", "instance", "props", "annotations", "errors", "events"}
#: fields that are not always there
OPTIONAL = {
    Form.CHECK: {
        "definitions", "processes", "errors", "fair", "optimum", "annotations", "note", "unfair_end",
        "counters", "symmetry", "partial_order", "property", "explanation", "cutoff", "instance", "error",
        "evidence_is_counted", "condition", "hint", "related", "reason", "vacuity",
        "excluded_by", "shortest", "coverage", "uncounted", "failures", "phase",
    },
    Form.ADVISE: {
        "errors", "fair", "reason", "by_names", "equals", "instead", "property", "explanation",
        "excluded_by", "hint", "related",
    },
    Form.PAPERS: {"interrupted"},
    Form.SIMULATE: {"replay", "hint", "related"},
    Form.GRAPH: {"schema", "name", "initial", "transitions", "props", "terminated", "annotations", "errors"},
}  # fmt: skip


@cache
def validator(form: Form) -> Draft202012Validator:
    """Judges documents of a form."""
    schema = json.loads(schema_text(form))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def require_valid(form: Form, document: Any) -> None:
    """Fails with the place in the document that the schema does not allow."""
    for error in validator(form).iter_errors(document):
        places = [
            f"{list(found.absolute_path)}: {found.message[:300]}" for found in (error, *(error.context or ()))
        ]
        raise AssertionError("\n".join(places))


def output(*arguments: str) -> str:
    """What a command writes to standard output."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()):
        status = run(list(arguments))
    assert status in (0, 1, 2, 3), (arguments, status)
    return written.getvalue()


def checked(*arguments: str) -> dict[str, Any]:
    """What `check --json` writes about one model, which its schema allows."""
    (document,) = checked_each(*arguments)
    return document


def checked_each(*arguments: str) -> list[dict[str, Any]]:
    """What `check --json` writes about several models or values: documents one after the other."""
    text, documents, decoder = output("check", *arguments, "--json").strip(), [], json.JSONDecoder()
    while text:
        document, end = decoder.raw_decode(text)
        require_valid(Form.CHECK, document)
        documents.append(document)
        text = text[end:].lstrip()
    return documents


# ---------------------------------------------------------------- what must not pass


def mutations(form: Form, document: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Documents that differ from a valid one in one place, in a way that is never allowed."""
    for path in _paths(document):
        node = _at(document, path)
        where = "/".join(_general(path))
        if isinstance(node, dict):
            yield f"{where}: an unknown field", partial(_with, document, (*path, "surprise"), {})
            if not (path and path[-1] in MAPS):
                for key in node.keys() - OPTIONAL[form]:
                    yield f"{where}: without {key}", partial(_without, document, (*path, key))
            yield f"{where}: a list", partial(_with, document, path, [])
        elif isinstance(node, list):
            yield f"{where}: an object", partial(_with, document, path, {})
            yield f"{where}: an object in a list", partial(_with, document, path, [*node, {"surprise": {}}])
        else:
            yield f"{where}: an object", partial(_with, document, path, {})


def _general(path: tuple[str | int, ...]) -> Iterator[str]:
    """A path without what differs from one step, process or variable to the next."""
    for before, key in zip(("", *path), path, strict=False):
        if not isinstance(key, int):
            yield "*" if before in MAPS else key


def _paths(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in inside:
        yield from _paths(value, (*path, key))


def _at(node: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def _with(document: Any, path: tuple[str | int, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    _at(changed, path[:-1])[path[-1]] = value
    return changed


def _without(document: Any, path: tuple[str | int, ...]) -> Any:
    changed = copy.deepcopy(document)
    del _at(changed, path[:-1])[path[-1]]
    return changed
