"""Checks the arguments of public functions, and says of a wrong one what is expected instead.

A front end that people explore by trying has to say what was wrong with a call. Python says so for names of
arguments, but neither for their types nor with the name that was meant.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

from fairlead.base.diagnostics import Code, Diagnostic, InputError, counted, nearest
from fairlead.base.records import dataclass

P = ParamSpec("P")
R = TypeVar("R")


class ArgumentError(InputError, TypeError):
    """A function was called with an argument that it does not have, or of another type than it takes."""


@dataclass(frozen=True)
class Expected:
    """What an argument may be: a value of one of the `types`; `words` say it, `hint` helps who got it wrong.

    Python takes a text for a sequence of texts; here it is not a sequence. A number is one from
    `least` to `most`, as far as these are given.
    """

    words: str
    types: tuple[type, ...]
    hint: str | None = None
    least: float | None = None
    most: float | None = None

    def fits(self, value: object) -> bool:
        """Whether a value is one of these."""
        if isinstance(value, str) and str not in self.types:
            return False
        if isinstance(value, bool) and bool not in self.types and int in self.types:
            return False
        return isinstance(value, self.types)

    def check(self, function: str, name: str, value: object) -> None:
        """Raises `ArgumentError` if a value does not fit."""
        if not self.fits(value):
            given = "None" if value is None else f"{_shown(value)} ({type(value).__name__})"
            raise argument_error(f"{function}(): '{name}' must be {self.words}, not {given}", self.hint)
        if isinstance(value, int | float) and not self.is_in_range(value):
            bounds = f"{self.words} from {_shown(self.least)}"
            bounds += "" if self.most is None else f" to {_shown(self.most)}"
            message = f"{function}(): '{name}' must be {bounds}, not {_shown(value)}"
            raise InputError((Diagnostic(Code.USAGE, message, hint=self.hint),))

    def is_in_range(self, number: float) -> bool:
        """Whether a number is within the bounds, if there are any."""
        if self.least is None:
            return True
        return self.least <= number and (number <= self.most if self.most is not None else number < math.inf)


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except ValueError:  # Python does not write thousands of digits
        return "a number of thousands of digits"


NOTHING = type(None)
TEXT = Expected("a text", (str,))
NUMBER = Expected("a whole number", (int,))
FOLDER = Expected("the name of a folder", (str, os.PathLike, NOTHING))
PROCESS = Expected("the name of a process", (str, NOTHING))
#: what a file is named by
FILE = Expected("the name of a file", (str, os.PathLike))


def argument_error(message: str, hint: str | None = None) -> ArgumentError:
    """An `ArgumentError` with one diagnostic."""
    return ArgumentError((Diagnostic(Code.USAGE, message, hint=hint),))


def unknown_argument(function: str, name: str, known: Iterable[str]) -> ArgumentError:
    """The error for an argument that a function does not have, with the nearest that it has."""
    names = sorted(known)
    listed = f"its arguments are {', '.join(names)}" if names else None
    return argument_error(f"{function}() has no argument '{name}'", nearest(name, names) or listed)


def checked(expected: Mapping[str, Expected]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function whose arguments are examined before it is called; `expected` has them by name."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*arguments: P.args, **named: P.kwargs) -> R:
            _check(function, expected, arguments, named)
            return function(*arguments, **named)

        return call

    return decorate


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _check(
    function: Callable[..., Any],
    expected: Mapping[str, Expected],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> None:
    signature, name = _signature(function), function.__name__
    try:
        bound = signature.bind(*arguments, **named)
    except TypeError:
        raise _misfit(name, signature, arguments, named) from None
    for argument, value in bound.arguments.items():
        is_default = value is signature.parameters[argument].default
        if argument in expected and not is_default:
            expected[argument].check(name, argument, value)


def _misfit(
    function: str, signature: inspect.Signature, arguments: Sequence[Any], named: Mapping[str, Any]
) -> ArgumentError:
    """Why a call does not fit a signature."""
    parameters = signature.parameters
    by_place = [name for name, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    by_name = {name for name, one in parameters.items() if one.kind is not one.VAR_KEYWORD}
    takes_more = len(by_name) < len(parameters)
    for name in named:
        if name not in by_name and not takes_more:
            return unknown_argument(function, name, by_name - {"self"})
    own = len(by_place) - by_place.count("self")
    given = len(arguments) - by_place.count("self")
    if given > own:
        return argument_error(f"{function}() takes at most {counted(own, 'argument')} by place, not {given}")
    for name in by_place[: len(arguments)]:
        if name in named:
            return argument_error(f"{function}() was given '{name}' twice")
    missing = next(
        name
        for name in (*by_place[len(arguments) :], *sorted(by_name))
        if parameters[name].default is inspect.Parameter.empty and name not in named
    )
    return argument_error(f"{function}() needs the argument '{missing}'")
