"""Reads MODEL and its options: -D, --allow-python, --processes. Commands get them together, ready to load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from fairlead.api.loading import load, load_named
from fairlead.api.model import Model
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.cli.groups import Command, option_group
from fairlead.cli.options import limit_options, limit_options_for_each
from fairlead.lang.replication import parse_process_numbers

#: how messages call what is read from standard input
STDIN = "<stdin>"


@dataclass(frozen=True)
class ModelOptions:
    """The file of a model, and what was chosen for it, as it was given to the command."""

    file: str
    definitions: tuple[str, ...] = ()
    allow_python: tuple[str, ...] = ()
    processes: str | None = None

    def load(self, results: dict[str, Any] | None = None) -> Model:
        """The model; as it was when these results were stored, as far as nothing else was chosen now."""
        stored = {} if results is None else results
        definitions = _stored_values(stored, "definitions") | parse_definitions(self.definitions)
        numbers = {} if self.processes is None else parse_process_numbers(self.processes)
        processes = _stored_values(stored, "processes") | numbers
        return load(self.file, definitions, allow_python=self.allow_python, processes=processes)


def _stored_values(file: dict[str, Any], key: str) -> dict[str, str]:
    """What was chosen when results were found: constants (`definitions`), or numbers of `processes`."""
    return {str(name): str(value) for name, value in file.get(key, {}).items()}


@dataclass(frozen=True)
class ModelSource:
    """A model of a command that can have several: a file, or standard input with its `text`."""

    file: str
    definitions: Mapping[str, str]
    allow_python: tuple[str, ...] = ()
    processes: str | None = None
    text: str | None = None
    language: str = "csp"

    @property
    def name(self) -> str:
        """How results call it."""
        return self.file if self.text is None else STDIN

    def load(self) -> Model:
        """The model."""
        numbers = {} if self.processes is None else parse_process_numbers(self.processes)
        if self.text is None:
            return load(self.file, self.definitions, allow_python=self.allow_python, processes=numbers)
        return load_named(self.text, STDIN, self.language, self.definitions, self.allow_python, numbers)


def parse_definitions(texts: tuple[str, ...]) -> dict[str, str]:
    """The definitions of `-D NAME=VALUE` options."""
    found: dict[str, str] = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.strip().isidentifier() or not value.strip():
            raise input_error(Code.USAGE, f"-D {text}: expected NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


DEFINITIONS = click.option(
    "-D",
    "definitions",
    multiple=True,
    metavar="NAME=VALUE",
    help="Give a constant of the model another value; for check also several, as in N=2..6 and N=2,4,8. "
    "Can be repeated.",
)

ALLOW_PYTHON = click.option(
    "--allow-python",
    multiple=True,
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Run a Python file with types and functions for the model. Can be repeated.",
)

PROCESSES = click.option(
    "--processes",
    metavar="NAME=N[,…]",
    help="How many copies of a process there are, in CSP#: a number, or inf for any (with --counters).",
)


def model_options(command: Command) -> Command:
    """MODEL, what belongs to it (together, as `model`), --process, and the limits of the whole command."""
    return _model_options(limit_options(command))


def checked_model_options(command: Command) -> Command:
    """The same; the limit on time is one for each check."""
    return _model_options(limit_options_for_each(command))


def _model_options(command: Command) -> Command:
    # the limits come last in the help, and the model is loaded with all that belongs to it
    group = option_group(
        ModelOptions,
        "model",
        click.argument("model", type=click.Path(dir_okay=False)),
        DEFINITIONS,
        ALLOW_PYTHON,
        PROCESSES,
        click.option("--process", metavar="P", help="The process asked about, such as 'System()'."),
        renamed={"file": "model"},
    )
    return group(command)
