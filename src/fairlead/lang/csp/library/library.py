"""The library of one model: the types and functions it can use, built in or from the user's Python files."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Sequence
from typing import Any, Self

from fairlead.lang.csp.library import python_values
from fairlead.lang.csp.library.containers import CONTAINERS, FUNCTIONS, from_words, words_of
from fairlead.lang.csp.library.operations import HintProblem, Maker, Operation, Origin, hints_of
from fairlead.lang.csp.library.python_files import PythonFile
from fairlead.model.canonical.numbers import NotCanonical
from fairlead.model.types import CallFailed, Type, kind_of
from fairlead.model.values import ArrayType, ObjectType, ValueTable

#: what `#import` may name because it is built in
BUILT_IN_IMPORTS = frozenset(
    {"PAT.Lib.Set", "PAT.Lib.List", "PAT.Lib.Queue", "PAT.Lib.Stack", "PAT.Lib.HashTable", "PAT.Math"}
)


class ClassType(ObjectType):
    """A type that is a Python class: immutable values that are compared by what they hold."""

    def __init__(self, python: type, origin: Origin, library: Library) -> None:
        name = python.__name__
        container = name if origin is Origin.BUILT_IN else None
        super().__init__(name, f"a {name}", library.table, container)
        self.python = python
        self.origin = origin
        self._maker = Maker(lambda hint: library.resolve(hint, self), origin)
        self._operations: dict[str, Operation] = {}
        self._texts: dict[int, str] = {}

    def word(self, value: Any) -> int:
        """The number of an object of the class."""
        if type(value) is not self.python:
            raise CallFailed(f"expected a '{self.name}', got {kind_of(value)}")
        if self.origin is Origin.BUILT_IN:
            return self.table.number(self, value)
        try:
            number = self.table.number(self, value)
            if number not in self._texts:
                self._texts[number] = str(value)
        except Exception as error:
            raise CallFailed(f"'{self.name}' cannot be hashed or shown: {error}") from None
        return number

    def words_of(self, value: Any) -> Sequence[int]:
        """The words of a container that is built in."""
        return words_of(value)

    def from_words(self, words: Sequence[int]) -> Any:
        """The container that is built in, with these words."""
        return from_words(self.python, words)

    def encoded(self, word: int) -> bytes:
        """The value with a number: by its words, or by what it holds if it was written in Python."""
        if self.origin is Origin.BUILT_IN:
            return super().encoded(word)
        return python_values.encoded(self.value(word), self.python.__module__)

    def decoded(self, data: bytes) -> int:
        """The number of the value with an encoding."""
        if self.origin is Origin.BUILT_IN:
            return super().decoded(data)
        value = python_values.decoded(data, self.python.__module__)
        if type(value) is not self.python:
            raise NotCanonical(f"expected a '{self.name}', got {kind_of(value)}")
        try:
            return self.word(value)
        except CallFailed as failed:
            raise NotCanonical(failed.message) from None

    def text(self, word: int) -> str:
        """What `str` gives."""
        return self._texts[word] if word in self._texts else str(self.value(word))

    # ------------------------------------------------------------ operations

    def methods(self) -> list[str]:
        """The names of the methods a model can call."""
        members = inspect.getmembers_static(self.python, inspect.isfunction)
        return [name for name, _ in members if not name.startswith("_")]

    def method(self, name: str) -> Operation:
        """A method, by one of the names of `methods`."""
        if name not in self._operations:
            self._operations[name] = self._maker.method(self, getattr(self.python, name), name)
        return self._operations[name]

    def fields(self) -> list[str]:
        """What can be read with `$`: fields, properties, and methods that need no arguments."""
        names = [item.name for item in dataclasses.fields(self.python)] if self._is_dataclass() else []
        names += [name for name, _ in inspect.getmembers_static(self.python, _is_property)]
        return [*(name for name in names if name[0] != "_"), *self.methods()]

    def field(self, name: str) -> Operation:
        """A field, by one of the names of `fields`."""
        if name in self.methods():
            found = self.method(name)
            if found.required or found.effect is not None:
                raise HintProblem("it is a method with arguments or one that changes the object: call it")
            return dataclasses.replace(found, parameters=())
        key = f"${name}"
        if key not in self._operations:
            described = inspect.getattr_static(self.python, name, None)
            hints = hints_of(described.fget) if isinstance(described, property) else hints_of(self.python)
            hint = hints.get("return" if isinstance(described, property) else name)
            self._operations[key] = self._maker.field(self, name, hint)
        return self._operations[key]

    def constructor(self) -> Operation:
        """`new T(…)`."""
        if "new" not in self._operations:
            self._operations["new"] = self._maker.constructor(self, self.python)
        return self._operations["new"]

    def check(self) -> None:
        """Whether objects of the class can be values of a model."""
        by_identity = inspect.getattr_static(self.python, "__eq__") is inspect.getattr_static(
            object, "__eq__"
        )
        if by_identity or getattr(self.python, "__hash__", None) is None:
            raise HintProblem(
                "its objects are not compared by what they hold: make it @dataclass(frozen=True)"
            )

    def _is_dataclass(self) -> bool:
        return dataclasses.is_dataclass(self.python)


def _is_property(item: object) -> bool:
    return isinstance(item, property)


class Library:
    """Types and functions by name. What a Python file defines goes before what is built in."""

    def __init__(self, files: Sequence[PythonFile] = ()) -> None:
        self.table = ValueTable()
        self.integers = ArrayType(Type.INT, self.table)
        self.booleans = ArrayType(Type.BOOL, self.table)
        self.files = tuple(files)
        self._classes: dict[type, ClassType] = {}
        self._types: dict[str, tuple[type, Origin]] = {
            item.__name__: (item, Origin.BUILT_IN) for item in CONTAINERS
        }
        self._functions: dict[str, tuple[Callable[..., Any], Origin]] = {
            item.__name__: (item, Origin.BUILT_IN) for item in FUNCTIONS
        }
        for file in files:
            self._types |= {item.__name__: (item, Origin.PYTHON) for item in file.classes}
            self._functions |= {item.__name__: (item, Origin.PYTHON) for item in file.functions}
        self._operations: dict[str, Operation] = {}

    def type_names(self) -> list[str]:
        """The names of the types."""
        return list(self._types)

    def function_names(self) -> list[str]:
        """The names of the functions."""
        return list(self._functions)

    def class_type(self, name: str) -> ClassType:
        """A type, by one of the names of `type_names`; raises `HintProblem` if it cannot be used."""
        python, origin = self._types[name]
        return self._class(python, origin)

    def type_named(self, name: str) -> ObjectType | None:
        """The type that is called so in messages, if there is one."""
        arrays = (self.integers, self.booleans)
        try:
            return (
                self.class_type(name)
                if name in self._types
                else next((kind for kind in arrays if kind.name == name), None)
            )
        except HintProblem:
            return None

    def function(self, name: str) -> Operation:
        """A function, by one of the names of `function_names`."""
        if name not in self._operations:
            target, origin = self._functions[name]
            maker = Maker(lambda hint: self.resolve(hint, None), origin)
            self._operations[name] = maker.function(target)
        return self._operations[name]

    def array(self, element: Type) -> ArrayType | None:
        """The type of arrays of a type, if there is one."""
        if element is Type.INT:
            return self.integers
        return self.booleans if element is Type.BOOL else None

    def gives_boolean(self, type_name: str, method: str) -> bool:
        """Whether a method of a type gives a boolean."""
        try:
            kind = self.class_type(type_name) if type_name in self._types else None
            return kind is not None and method in kind.methods() and kind.method(method).result is Type.BOOL
        except HintProblem:
            return False  # it is reported where it is called

    def resolve(self, hint: Any, own: ClassType | None) -> Type:
        """The type a hint stands for, in the class `own`."""
        if hint is int:
            return Type.INT
        if hint is bool:
            return Type.BOOL
        if hint is Self and own is not None:
            return own
        if typing.get_origin(hint) is tuple:
            element, *rest = typing.get_args(hint)
            if rest == [...] and element in (int, bool):
                return self.integers if element is int else self.booleans
        for python, origin in self._types.values():
            if hint is python:
                return self._class(python, origin)
        name = getattr(hint, "__name__", None) if inspect.isclass(hint) else None
        raise HintProblem(
            f"the hint '{name or hint}' is not a type of a model: "
            "the types are int, bool, tuple[int, ...], tuple[bool, ...] and the classes of the library"
        )

    def _class(self, python: type, origin: Origin) -> ClassType:
        if python not in self._classes:
            kind = ClassType(python, origin, self)
            kind.check()
            self._classes[python] = kind
        return self._classes[python]
