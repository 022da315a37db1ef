"""Data classes built late are those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import operator
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import pytest

from fairlead.base import records
from fairlead.model.expression import Constant, Expression
from fairlead.outcome.finding import Statistics
from fairlead.outcome.limits import Limits

Decorator = Callable[..., Any]
VALUES = (0, 1, "text", (1, 2))


def random_class(choose: random.Random, decorate: Decorator) -> type:
    """A class with a base class or two; the same choices give the same class."""
    frozen, found = choose.random() < 0.7, object
    names = list("abcdefghi")
    defaults_only = False
    for level in range(choose.randint(1, 3)):
        body: dict[str, Any] = {
            "__annotations__": {},
            "__module__": __name__,
            "__qualname__": f"Level{level}",
        }
        for _ in range(choose.randint(0, 3)):
            name = names.pop(0)
            body["__annotations__"][name] = choose.choice(("int", "str", "tuple[int, ...]"))
            options: dict[str, Any] = {}
            if choose.random() < 0.3:
                options["repr"] = False
            if choose.random() < 0.3:
                options["compare"] = False
            if choose.random() < 0.2:
                options["hash"] = choose.choice((True, False))
            if choose.random() < 0.2:
                options["kw_only"] = True
            has_default = choose.random() < 0.4 or (defaults_only and "kw_only" not in options)
            if has_default:
                defaults_only = defaults_only or "kw_only" not in options
                if choose.random() < 0.5:
                    options["default"] = choose.choice(VALUES)
                else:
                    options["default_factory"] = choose.choice((int, str, tuple))
                if choose.random() < 0.3:
                    options["init"] = False
            if options:
                body[name] = dataclasses.field(**options)
        if choose.random() < 0.5:
            body["__doc__"] = "A class."
        if choose.random() < 0.2:
            body["__annotations__"]["shared"] = "ClassVar[int]"
            body["shared"] = 7
        if choose.random() < 0.2:
            body["__post_init__"] = _note
        if choose.random() < 0.15:
            body["__hash__"] = _seven
        if choose.random() < 0.15:
            body["__eq__"] = _same_kind
        if choose.random() < 0.15:
            body["__repr__"] = _shown
        flags: dict[str, bool] = {"frozen": frozen}
        if choose.random() < 0.2:
            flags["eq"] = choose.choice((True, False))
        if choose.random() < 0.2:
            flags["repr"] = choose.choice((True, False))
        if choose.random() < 0.1:
            flags["order"] = flags.get("eq", True)
        found = decorate(**flags)(type(f"Level{level}", (found,), body))
    return found


def _note(self: object) -> None:
    self.__dict__["noted"] = True


def _seven(self: object) -> int:
    return 7


def _same_kind(self: object, other: object) -> bool:
    return type(self) is type(other)


def _shown(self: object) -> str:
    return "shown"


def outcome(work: Callable[[], Any]) -> object:
    """What comes of it, or how it fails."""
    try:
        return work()
    except Exception as error:
        return type(error), str(error)


def described(made: Any) -> object:
    """All that can be seen of an instance."""
    if isinstance(made, tuple):
        return made
    by_identity = object.__repr__(made), object.__hash__(made)
    shown, hashed = outcome(lambda: repr(made)), outcome(lambda: hash(made))
    return shown not in by_identity and shown, hashed not in by_identity and hashed, vars(made)


def assert_alike(seed: int) -> None:
    """A class of ours behaves as that of the standard library with the same text."""
    ours = random_class(random.Random(seed), records.dataclass)
    theirs = random_class(random.Random(seed), dataclasses.dataclass)
    choose = random.Random(seed)
    first = choose.randrange(3)
    if first == 0:
        assert [field.name for field in dataclasses.fields(ours)] == [
            field.name for field in dataclasses.fields(theirs)
        ]
    if first == 1:
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    fields = dataclasses.fields(theirs)
    before: list[tuple[Any, Any]] = []
    for _ in range(6):
        positional = [choose.choice(VALUES) for _ in range(choose.randint(0, len(fields)))]
        named = {field.name: choose.choice(VALUES) for field in fields if choose.random() < 0.4}
        one = outcome(lambda: ours(*positional, **named))  # noqa: B023
        other = outcome(lambda: theirs(*positional, **named))  # noqa: B023
        assert described(one) == described(other)
        if isinstance(one, tuple):
            continue
        assert isinstance(one, ours)
        for again in (copy.copy(one), copy.deepcopy(one)):
            assert vars(again) == vars(one)
        name = choose.choice("abcz")
        assert outcome(lambda: setattr(one, name, 5)) == outcome(lambda: setattr(other, name, 5))  # noqa: B023
        assert outcome(lambda: delattr(one, name)) == outcome(lambda: delattr(other, name))  # noqa: B023
        assert vars(one) == vars(other)
        change = {field.name: 9 for field in fields if field.init and choose.random() < 0.3}
        assert described(outcome(lambda: dataclasses.replace(one, **change))) == described(  # noqa: B023
            outcome(lambda: dataclasses.replace(other, **change))  # noqa: B023
        )
        for earlier_one, earlier_other in before:
            for relation in (operator.eq, operator.ne, operator.lt, operator.ge):
                ordered = outcome(lambda: relation(one, earlier_one))  # noqa: B023
                assert ordered == outcome(lambda: relation(other, earlier_other))  # noqa: B023
        before.append((one, other))
    ours.__init__  # noqa: B018
    assert ours.__match_args__ == theirs.__match_args__
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    if "__doc__" in vars(theirs) and theirs.__doc__ == "A class.":
        assert ours.__doc__ == theirs.__doc__


@pytest.mark.parametrize("start", range(0, 600, 50))
def test_random_classes(start: int) -> None:
    for seed in range(start, start + 50):
        assert_alike(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(1_000, 11_000, 500))
def test_more_random_classes(start: int) -> None:
    for seed in range(start, start + 500):
        assert_alike(seed)


def test_nothing_is_built_before_it_is_needed() -> None:
    @records.dataclass(frozen=True)
    class Point:
        x: int
        y: int = 2
        shared: ClassVar[int] = 3

    assert "__eq__" not in vars(Point)
    assert dataclasses.is_dataclass(Point)
    assert "__eq__" in vars(Point)
    assert Point(1) == Point(1, 2) != Point(2)
    match Point(4, 5):
        case Point(x, y):
            assert (x, y) == (4, 5)


def test_a_class_is_built_once_whatever_thread_asks() -> None:
    for _ in range(40):

        @records.dataclass(frozen=True)
        class Base:
            a: int

        @records.dataclass(frozen=True)
        class Derived(Base):
            b: int

        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda number: Derived(number % 2, 1), range(32)))
        assert set(made) == {Derived(0, 1), Derived(1, 1)}


def test_pickles_are_read_where_the_class_is_not_built() -> None:
    stored = pickle.dumps((Limits(5), Statistics(3, 4, 0.5, 6)))
    program = (
        "import pickle, sys\n"
        "limits, figures = pickle.loads(sys.stdin.buffer.read())\n"
        "again = type(limits)(5), type(figures)(3, 4, 0.5, 6)\n"
        "assert (limits, figures) == again and hash(figures) == hash(again[1]), (limits, figures)\n"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        input=stored,
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()


def test_no_class_passes_the_constructor_of_its_base_by() -> None:
    """An instance whose base class is not built would be compared by what it is, not by what it holds."""
    for cls in _all_subclasses(object):
        module = cls.__module__  # of some classes of others no text
        if isinstance(module, str) and module.startswith("fairlead.") and "__init__" in vars(cls):
            bases = [base for base in cls.__mro__[1:] if "__dataclass_fields__" in vars(base)]
            assert not bases or "__dataclass_fields__" in vars(cls), cls


def _all_subclasses(cls: type) -> set[type]:
    found: set[type] = set()
    waiting = [cls]
    while waiting:
        for derived in type.__subclasses__(waiting.pop()):
            if derived not in found:
                found.add(derived)
                waiting.append(derived)
    return found


def test_expressions_are_data_classes() -> None:
    assert isinstance(Constant(1), Expression)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'value'"):
        Constant(1).value = 2  # type: ignore[misc]
