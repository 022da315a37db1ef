"""Functions and methods written in Python, as operations on the values of a model.

Type hints decide: what the parameters are, what the result is, and whether a method changes its object
(`Self`, or `tuple[X, Self]` for one that gives a value as well).
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Self

from fairlead.base.records import dataclass
from fairlead.model.types import CallFailed, Function, Type
from fairlead.model.values import ObjectType


class Origin(Enum):
    """Whose code it is: ours is trusted, the user's is watched."""

    BUILT_IN = "built in"
    PYTHON = "Python"


class HintProblem(Exception):
    """A function or class cannot be used from a model; the text says why."""


#: the type of a hint, given the class it stands in; raises `HintProblem`
Resolver = Callable[[Any], Type]


@dataclass(frozen=True)
class Operation:
    """A function, method or constructor as a call needs it.

    `value` gives its result, `effect` the object after the call; both take the same arguments, for a method
    with the object in front.
    """

    name: str
    parameters: tuple[Type, ...]
    required: int
    result: Type | None
    value: Function | None
    effect: Function | None = None


@dataclass(frozen=True)
class _Result:
    """What a return hint says."""

    value: Type | None
    changes: bool


@dataclass(frozen=True)
class _Part:
    """Which part of what Python returns is wanted: all of it, or one of a pair.

    `built_in` is the name of that part in the engine, if the function is one of ours.
    """

    type: Type
    place: int | None = None
    built_in: str | None = None


class Maker:
    """Makes operations of Python callables."""

    def __init__(self, resolve: Resolver, origin: Origin) -> None:
        self._resolve = resolve
        self._origin = origin

    def function(self, target: Callable[..., Any]) -> Operation:
        """A function of a module."""
        parameters, required = self._parameters(target, target)
        result = self._result(target, None)
        assert result.value is not None
        part = _Part(result.value, None, target.__name__)
        value = self._call(target.__name__, target, parameters, part)
        return Operation(target.__name__, parameters, required, result.value, value)

    def constructor(self, kind: ObjectType, python: type) -> Operation:
        """`new T(…)`."""
        initial = inspect.getattr_static(python, "__init__")
        parameters, required = self._parameters(
            python, python.__new__ if initial is inspect.getattr_static(object, "__init__") else initial
        )
        part = _Part(kind, None, f"new {python.__name__}")
        value = self._call(python.__name__, python, parameters, part)
        return Operation(f"new {python.__name__}", parameters, required, kind, value)

    def method(self, kind: ObjectType, target: Callable[..., Any], name: str) -> Operation:
        """`v.Method(…)`."""
        parameters, required = self._parameters(target, target)
        result = self._result(target, kind)
        whole, given = f"{kind.name}.{name}", (kind, *parameters)
        value = effect = None
        if result.value is not None:
            place = 0 if result.changes else None
            value = self._call(whole, target, given, _Part(result.value, place, f"value {whole}"))
        if result.changes:
            place = None if result.value is None else 1
            effect = self._call(whole, target, given, _Part(kind, place, f"effect {whole}"))
        return Operation(name, parameters, required, result.value, value, effect)

    def field(self, kind: ObjectType, name: str, hint: Any) -> Operation:
        """`v$field`."""
        result = self._resolve(hint)
        whole = f"{kind.name}${name}"
        read = self._call(whole, lambda value: getattr(value, name), (kind,), _Part(result))
        return Operation(name, (), 0, result, read)

    # ------------------------------------------------------------ hints

    def _parameters(self, target: Callable[..., Any], hinted: Any) -> tuple[tuple[Type, ...], int]:
        """The types of the parameters but `self`, and how many of them must be given."""
        hints = hints_of(hinted)
        found: list[Type] = []
        required = 0
        for parameter in _signature(target).parameters.values():
            if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                raise HintProblem(f"its parameter '{parameter.name}' cannot be passed by position")
            if parameter.name == "self":
                continue
            try:
                found.append(self._parameter(hints.get(parameter.name), parameter))
            except HintProblem:
                if parameter.default is parameter.empty:
                    raise
                break  # a model cannot give it, and need not: it has a default
            required += parameter.default is parameter.empty
        return tuple(found), required

    def _parameter(self, hint: Any, parameter: inspect.Parameter) -> Type:
        if hint is None:
            raise HintProblem(f"its parameter '{parameter.name}' has no type hint")
        if typing.get_origin(hint) in (typing.Union, types.UnionType) and parameter.default is None:
            given = [part for part in typing.get_args(hint) if part is not types.NoneType]
            if len(given) == 1:
                return self._resolve(given[0])
        return self._resolve(hint)

    def _result(self, target: Callable[..., Any], kind: ObjectType | None) -> _Result:
        hints = hints_of(target)
        if "return" not in hints:
            raise HintProblem("it has no type hint for what it returns")
        hint = hints["return"]
        if hint is types.NoneType:
            raise HintProblem("it returns None; return the new object (-> Self) or a value")
        if kind is not None and hint is Self:
            return _Result(None, changes=True)
        arguments = typing.get_args(hint)
        if kind is not None and typing.get_origin(hint) is tuple and arguments[1:] == (Self,):
            return _Result(self._resolve(arguments[0]), changes=True)
        return _Result(self._resolve(hint), changes=False)

    # ------------------------------------------------------------ calls

    def _call(
        self, name: str, target: Callable[..., Any], parameters: tuple[Type, ...], part: _Part
    ) -> Function:
        """The function that calls Python with the values of words, and gives the word of its result."""
        readers = [kind.value for kind in parameters]
        place, encode = part.place, part.type.word

        def once(words: Sequence[int]) -> int:
            arguments = [read(word) for read, word in zip(readers, words, strict=False)]
            try:
                found = target(*arguments)
            except (Exception, SystemExit) as error:
                raise self._failure(name, error) from None
            if place is not None:
                if type(found) is not tuple or len(found) != 2:
                    raise CallFailed(f"'{name}' must return a pair: a value and the new object")
                found = found[place]
            try:
                return encode(found)
            except CallFailed as failure:
                raise CallFailed(f"'{name}': {failure.message}", failure.code) from None

        if self._origin is Origin.BUILT_IN:
            return Function(name, once, part.built_in)
        known: dict[tuple[int, ...], int] = {}

        def watched(words: Sequence[int]) -> int:
            key = tuple(words)
            if key not in known:
                first = once(words)
                self._check_unchanged(name, parameters, words)
                if once(words) != first:
                    raise CallFailed(f"'{name}' gives different results for the same arguments")
                known[key] = first
            return known[key]

        return Function(name, watched)

    def _check_unchanged(self, name: str, parameters: tuple[Type, ...], words: Sequence[int]) -> None:
        for kind, word in zip(parameters, words, strict=False):
            if isinstance(kind, ObjectType) and kind.word(kind.value(word)) != word:
                raise CallFailed(f"'{name}' changes a value in place; return a new object instead")

    def _failure(self, name: str, error: BaseException) -> CallFailed:
        try:
            text = str(error)
        except Exception:
            text = ""
        if self._origin is Origin.BUILT_IN:
            return CallFailed(f"'{name}': {text}")

        import traceback  # rarely needed

        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if len(frames) > 1 else ""
        shown = f"{type(error).__name__}: {text}" if text else type(error).__name__
        return CallFailed(f"'{name}' failed: {shown}{where}")


def _signature(target: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(target)
    except (TypeError, ValueError):
        raise HintProblem("its parameters are not known to Python") from None


def hints_of(target: Any) -> Mapping[str, Any]:
    """The type hints of a function or class."""
    try:
        return typing.get_type_hints(target)
    except Exception as error:  # hints are evaluated, so anything can happen
        raise HintProblem(f"its type hints cannot be read: {error}") from None
