"""Names the forms of what commands write as JSON, and says which versions can be read back."""

from __future__ import annotations

from enum import Enum

from fairlead.base.diagnostics import Code, InputError, input_error


class Form(Enum):
    """A kind of document; the value is its name, which is also that of the command that writes it."""

    ADVISE = "advise"
    CHECK = "check"
    GRAPH = "graph"
    PAPERS = "papers"
    SIMULATE = "simulate"


#: the version of each form that is written; docs/reference/json.md says what changes it
VERSIONS = dict.fromkeys(Form, 1) | {Form.CHECK: 2}


def identifier(form: Form) -> str:
    """What a document of this form has as its `schema`, such as `fairlead/graph/1`."""
    return f"fairlead/{form.value}/{VERSIONS[form]}"


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
