"""Provides data classes that are built when they are first used.

The program has hundreds of data classes, and a run of it uses few of them. The `dataclass` of the standard
library writes and compiles half a dozen methods for each class while its module is loaded, which takes longer
than most checks. This one waits until a class is asked for its constructor or its fields; before, there is no
instance. The classes behave like those of the standard library, and type checkers take them for such.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter
    from reprlib import recursive_repr
    from threading import RLock

    #: what a class may ask for and still wait; all else the standard library does at once
    _CAN_WAIT = {"frozen", "eq", "order", "repr"}
    _OBJECT_SETS = object.__setattr__
    #: held while a class is built, which builds its base classes too
    _building = RLock()

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """As in the standard library, but built later where that makes no difference."""
        if cls is None:
            return lambda decorated: dataclass(decorated, **options)
        if {"__init__", "__reduce__"} & vars(cls).keys() or options.keys() - _CAN_WAIT:
            return dataclasses.dataclass(cls, **options)
        for name in ("__init__", "__dataclass_fields__"):
            setattr(cls, name, _Unbuilt(cls, name, options))
        cls.__reduce__ = _reduced
        return cls

    class _Unbuilt:
        """Stands for an attribute of a class until the class is built."""

        def __init__(self, cls: type, name: str, options: dict[str, bool]) -> None:
            self._cls = cls
            self._name = name
            self._options = options

        def __get__(self, instance: object, owner: type) -> Any:
            with _building:
                if isinstance(vars(self._cls)["__init__"], _Unbuilt):
                    _build(self._cls, **self._options)
            return getattr(owner if instance is None else instance, self._name)

    def _build(
        cls: type, frozen: bool = False, eq: bool = True, repr: bool = True, order: bool = False
    ) -> None:
        own = vars(cls)
        own_hash = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
        # without a docstring, the standard library makes one from the constructor, which is not there yet
        cls.__doc__ = cls.__doc__ or cls.__name__
        hashed = frozen and eq and not own_hash
        if order:
            dataclasses.dataclass(cls, init=False, eq=eq, repr=repr, order=True, unsafe_hash=hashed)
        else:
            dataclasses.dataclass(cls, init=False, eq=False, repr=False)
            _add_methods(cls, eq, repr, hashed, unhashable=eq and not frozen and not own_hash)
        if frozen:
            cls.__setattr__ = _refuse_to_set
            cls.__delattr__ = _refuse_to_delete
        # last of all: another thread that finds it may count on the other methods
        cls.__init__ = _constructor(cls, frozen)

    def _add_methods(cls: type, eq: bool, repr: bool, hashed: bool, unhashable: bool) -> None:
        """What the standard library would compile for each class, as closures, which cost next to nothing."""
        own, fields = vars(cls), dataclasses.fields(cls)
        if repr and "__repr__" not in own:
            cls.__repr__ = _shown_by([item.name for item in fields if item.repr])
        if eq and "__eq__" not in own:
            cls.__eq__ = _compared_by(_values_of([item.name for item in fields if item.compare]))
        if hashed:
            names = [item.name for item in fields if (item.compare if item.hash is None else item.hash)]
            values = _values_of(names)
            cls.__hash__ = lambda self: hash(values(self))
        elif unhashable:
            cls.__hash__ = None

    def _values_of(names: list[str]) -> Any:
        """A function that gives the values of some fields as a tuple."""
        match names:
            case []:
                return lambda self: ()
            case [name]:
                get = attrgetter(name)
                return lambda self: (get(self),)
        return attrgetter(*names)

    def _compared_by(values: Any) -> Any:
        def equals(self: object, other: object) -> bool:
            if other.__class__ is self.__class__:
                return values(self) == values(other)
            return NotImplemented

        return equals

    def _shown_by(names: list[str]) -> Any:
        def shown(self: object) -> str:
            fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{self.__class__.__qualname__}({fields})"

        return recursive_repr()(shown)

    def _constructor(cls: type, frozen: bool) -> Any:
        """The `__init__` of a class whose fields are known."""
        parameters, keywords, lines = ["self"], [], []
        scope: dict[str, Any] = {"_set": _OBJECT_SETS, "_absent": dataclasses.MISSING}
        for item in dataclasses.fields(cls):
            name, value = item.name, item.name
            if item.default_factory is not dataclasses.MISSING:
                scope[f"_make_{name}"] = item.default_factory
                default = "_absent"
                value = f"_make_{name}() if {name} is _absent else {name}" if item.init else f"_make_{name}()"
            elif item.default is not dataclasses.MISSING:
                scope[f"_default_{name}"] = item.default
                default = f"_default_{name}"
            else:
                default = None
            if item.init:
                named = keywords if item.kw_only else parameters
                named.append(name if default is None else f"{name}={default}")
            elif default != "_absent":
                continue
            lines.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
        if keywords:
            parameters += ["*", *keywords]
        if hasattr(cls, "__post_init__"):
            lines.append(" self.__post_init__()")
        exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(lines) or " pass"), scope)
        constructor = scope["__init__"]
        constructor.__qualname__ = f"{cls.__qualname__}.__init__"
        constructor.__module__ = cls.__module__
        constructor.__annotations__ = {
            **{item.name: item.type for item in dataclasses.fields(cls) if item.init},
            "return": None,
        }
        return constructor

    def _refuse_to_set(self: object, name: str, value: object) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _refuse_to_delete(self: object, name: str) -> NoReturn:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def _reduced(self: object) -> tuple[Any, ...]:
        return _bare, (self.__class__,), self.__dict__

    def _bare(cls: type) -> object:
        """An instance whose fields come later: it was pickled, perhaps by another process."""
        getattr(cls, "__init__")  # noqa: B009
        return object.__new__(cls)
