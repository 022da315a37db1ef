"""The forms of what commands write as JSON: a JSON Schema for each, and which versions can be read back."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from fairlead.errors import Code, InputError, input_error

_REFERENCE = re.compile(r'"#/\$defs/(\w+)"')


class Form(Enum):
    """A kind of document; the value is its name, which is also that of the command that writes it."""

    ADVISE = "advise"
    CHECK = "check"
    GRAPH = "graph"
    PAPERS = "papers"
    SIMULATE = "simulate"


#: the version of each form that is written; docs/reference/json.md says what changes it
VERSIONS = {Form.ADVISE: 1, Form.CHECK: 1, Form.GRAPH: 1, Form.PAPERS: 1, Form.SIMULATE: 1}


def identifier(form: Form) -> str:
    """What a document of this form has as its `schema`, such as `fairlead/check/1`."""
    return f"fairlead/{form.value}/{VERSIONS[form]}"


def schema_text(form: Form) -> str:
    """The JSON Schema (draft 2020-12) of a form, as text.

    Advice has evidence and errors as results have them: what it needs of their definitions is put beside
    its own.
    """
    text = Path(__file__).with_name(f"{form.value}.json").read_text(encoding="utf-8")
    return text if form is not Form.ADVISE else _with_definitions(text, schema_text(Form.CHECK))


def _with_definitions(text: str, other: str) -> str:
    """A schema with the definitions of another one that it refers to."""
    import json  # seldom needed

    schema, known = json.loads(text), json.loads(other)["$defs"]
    definitions = schema["$defs"]
    while missing := set(_REFERENCE.findall(json.dumps(schema))) - definitions.keys():
        definitions |= {name: known[name] for name in sorted(missing)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def problem_with_version(form: Form, found: object, name: str, code: Code) -> InputError | None:
    """What is wrong with the `schema` of the document with this name; one that has none is taken as it is."""
    if found is None or found == identifier(form):
        return None
    start, _, number = found.rpartition("/") if isinstance(found, str) else ("", "", "")
    if start != f"fairlead/{form.value}" or not number.isdecimal():
        return input_error(code, f"'{name}': its 'schema' is not '{identifier(form)}'")
    return input_error(
        code,
        f"'{name}' has the form '{found}'; this fairlead reads '{identifier(form)}'",
        hint="read it with the fairlead that wrote it, or write it again with this one",
    )
