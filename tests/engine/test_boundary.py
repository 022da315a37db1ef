"""Names and numbers that both Python and C++ know: defined in C++, bound completely, under the same names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairlead.base.allowance import LimitKind
from fairlead.base.tuning import Tuning
from fairlead.engine import _native
from fairlead.model.labels import IDLE, TERMINATE
from fairlead.model.tree import ERROR, NESTING_LIMIT, SKIP, STOP, TERMINATED
from fairlead.model.types import MIXED_FALSE, MIXED_TRUE
from fairlead.search.engine_limits import _LIMITS

NATIVE = Path(__file__).parents[2] / "native"
HEADERS = "".join(path.read_text(encoding="utf-8") for path in sorted(NATIVE.rglob("*.hpp")))
BINDINGS = "".join(path.read_text(encoding="utf-8") for path in sorted((NATIVE / "python").glob("*.cpp")))
#: the engine alone writes these operations
INTERNAL = {
    "SHARED_LESS_CONST",
    "SHARED_GREATER_CONST",
    "SHARED_LESS_EQUAL_CONST",
    "SHARED_GREATER_EQUAL_CONST",
}
ENUMS = re.findall(r"nb::enum_<(\w+)>", BINDINGS)


def _in_python(name: str) -> str:
    """`kNoCode` is `NO_CODE`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name.removeprefix("k")).upper()


@pytest.mark.parametrize("name", ENUMS)
def test_every_enumerator_is_bound(name: str) -> None:
    definition = re.search(rf"enum class {name}(?: : [\w:]+)? {{(.*?)}}", HEADERS, re.DOTALL)
    assert definition is not None
    enumerators = re.findall(r"\b(k[A-Z]\w*)", re.sub(r"//.*", "", definition[1]))
    names = {_in_python(enumerator) for enumerator in enumerators}
    assert set(getattr(_native, name).__members__) == names - (INTERNAL if name == "Op" else set())


def test_names_are_the_same_on_both_sides() -> None:
    values = re.findall(r'\.value\("(\w+)",\s*\w+::(k\w+)', BINDINGS)
    constants = re.findall(r'attr\("([A-Z_]+)"\) = (?:\w+::)?(k\w+);', BINDINGS)
    assert values and constants
    for in_python, in_cpp in [*values, *constants]:
        assert in_python == _in_python(in_cpp)


def test_the_model_names_what_the_engine_reserves() -> None:
    """The model knows nothing of the engine, so these numbers and texts are in both."""
    reserved = (_native.STOP_LOCAL, _native.SKIP_LOCAL, _native.TERMINATED_LOCAL, _native.ERROR_LOCAL)
    assert reserved == tuple(state.position for state in (STOP, SKIP, TERMINATED, ERROR))
    assert _native.Network(0).labels == [IDLE, TERMINATE]
    assert _native.NESTING_LIMIT == NESTING_LIMIT


def test_work_worth_sharing_is_the_same_on_both_sides() -> None:
    assert Tuning().least_work == _native.LEAST_WORK


def test_booleans_among_mixed_values_are_the_same_on_both_sides() -> None:
    assert (_native.MIXED_FALSE, _native.MIXED_TRUE) == (MIXED_FALSE, MIXED_TRUE)


def test_every_limit_of_the_engine_has_a_name() -> None:
    assert set(_LIMITS) == set(_native.Limit)
    assert set(_LIMITS.values()) <= set(LimitKind)
