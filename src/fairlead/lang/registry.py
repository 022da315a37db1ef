"""Loads a model file by the language its name says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairlead.base.diagnostics import Code, Diagnostic, LimitReached, input_error
from fairlead.base.files import read_text
from fairlead.base.source import Source
from fairlead.lang.language import LoadedModel

if TYPE_CHECKING:
    from fairlead.lang.editing import Editing
    from fairlead.model.composition import MachineTools

SUFFIXES = {
    ".csp": "CSP#",
    ".lts": "FSP",
    ".pml": "Promela",
    ".prom": "Promela",
    ".promela": "Promela",
    ".aut": "an Aldebaran graph",
    ".json": "a JSON graph",
}
#: the suffixes of Promela
PROMELA = (".pml", ".prom", ".promela")


def load_file(
    path: Path,
    definitions: Mapping[str, str],
    allow_python: Sequence[Path],
    tools: Callable[[], MachineTools],
    *,
    processes: Mapping[str, str] = MappingProxyType({}),
) -> LoadedModel:
    """Reads and checks a model file; the Python files that it may use are run."""
    source = Source(str(path), read_text(path), path)
    return _load(source, path.suffix.lower(), definitions, allow_python, tools, processes)


def editing_of(suffix: str) -> Editing | None:
    """What editors can ask about texts in a language; None for graphs, which are not written by hand."""
    if suffix == ".csp":
        from fairlead.lang.csp.editing import EDITING as CSP

        return CSP
    if suffix == ".lts":
        from fairlead.lang.fsp.editing import EDITING as FSP

        return FSP
    return None


def load_text(
    text: str,
    name: str,
    suffix: str,
    definitions: Mapping[str, str],
    allow_python: Sequence[Path],
    tools: Callable[[], MachineTools],
    *,
    processes: Mapping[str, str] = MappingProxyType({}),
) -> LoadedModel:
    """Reads and checks a model given as text; the suffix says in which language.

    `processes` chooses how many copies of a process there are, as `{"Reader": "inf", "Writer": "5"}`.
    """
    return _load(Source(name, text), suffix, definitions, allow_python, tools, processes)


def _load(
    source: Source,
    suffix: str,
    definitions: Mapping[str, str],
    allow_python: Sequence[Path],
    tools: Callable[[], MachineTools],
    processes: Mapping[str, str],
) -> LoadedModel:
    name = source.name
    # the modules of a language are loaded when it is met: each is a good part of the time a short check takes
    try:
        if suffix == ".csp":
            from fairlead.lang.csp.library.python_files import load_python
            from fairlead.lang.csp.model import CspModel

            return CspModel(source, definitions, load_python(allow_python), processes)
        if processes and suffix in SUFFIXES:
            raise input_error(Code.USAGE, "--processes: only CSP# models have replicated processes")
        if suffix == ".lts":
            if allow_python:
                raise input_error(Code.USAGE, "--allow-python: an FSP model calls no functions")
            from fairlead.lang.fsp.model import FspModel

            return FspModel(source, definitions, tools(), Path(name).parent)
        if suffix in PROMELA:
            if allow_python:
                raise input_error(Code.USAGE, "--allow-python: a Promela model calls no functions")
            from fairlead.lang.promela.model import PromelaModel

            return PromelaModel(source, definitions)
        if suffix in SUFFIXES:
            if definitions:
                raise input_error(Code.USAGE, "-D: a graph has no constants")
            if allow_python:
                raise input_error(Code.USAGE, "--allow-python: a graph calls no functions")
            from fairlead.lang.explicit.model import GraphModel
            from fairlead.lang.explicit.read import read_graph

            return GraphModel(read_graph(source, suffix))
    except RecursionError:
        problem = Diagnostic(Code.LIMIT, f"'{name}' is nested too deeply")
        raise LimitReached((problem,)) from None
    known = ", ".join(f"{suffix} ({language})" for suffix, language in SUFFIXES.items())
    raise input_error(Code.FILE, f"'{name}': unknown kind of model; known are {known}")
