"""Loads a model file by the language its name says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fairlead.errors import Code, Diagnostic, LimitReached, input_error
from fairlead.lang.csp.model import CspModel
from fairlead.lang.explicit.model import GraphModel
from fairlead.lang.explicit.read import GRAPH_SUFFIXES, read_graph
from fairlead.lang.model import LoadedModel
from fairlead.lang.source import Source
from fairlead.lang.text import read_text

SUFFIXES = {".csp": "CSP#", ".aut": "an Aldebaran graph", ".json": "a JSON graph"}


def load_file(path: Path, definitions: Mapping[str, str]) -> LoadedModel:
    """Reads and checks a model file."""
    return load_text(read_text(path), str(path), path.suffix.lower(), definitions)


def load_text(text: str, name: str, suffix: str, definitions: Mapping[str, str]) -> LoadedModel:
    """Reads and checks a model given as text; the suffix says in which language."""
    source = Source(name, text)
    try:
        if suffix == ".csp":
            return CspModel(source, definitions)
        if suffix in GRAPH_SUFFIXES:
            if definitions:
                raise input_error(Code.USAGE, "-D: a graph has no constants")
            return GraphModel(read_graph(source, suffix))
    except RecursionError:
        problem = Diagnostic(Code.LIMIT, f"'{name}' is nested too deeply")
        raise LimitReached((problem,)) from None
    known = ", ".join(f"{suffix} ({language})" for suffix, language in SUFFIXES.items())
    raise input_error(Code.FILE, f"'{name}': unknown kind of model; known are {known}")
