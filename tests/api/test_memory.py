"""Dropping a model frees what it has explored at once, without waiting for the garbage collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

import fairlead

TEXT = """
var x = 0;
P(i) = up.i{x = 1;} -> down.i{x = 0;} -> P(i);
System() = ||| i:{0..2} @ P(i);
#assert System() |= []<> up.0;
"""


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "options", [{}, {"reduction": "por"}, {"reduction": "symmetry"}, {"counters": True}], ids=str
)
def test_a_model_is_freed_when_it_is_dropped(options: dict[str, object]) -> None:
    model = fairlead.loads(TEXT)
    model.check("System() |= []<> up.0", **options)  # type: ignore[arg-type]
    model.graph()
    checker, targets = weakref.ref(model._checker), weakref.ref(model._checker.targets)
    del model
    assert checker() is None and targets() is None
