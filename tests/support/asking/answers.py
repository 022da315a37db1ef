"""The answers of a model, without what may vary: times and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import fairlead
from fairlead.base.diagnostics import FairleadError
from fairlead.logic.fairness.notions import Fairness
from fairlead.model.assertion import Assertion
from tests.support.examples.loading import find_example
from tests.support.generators.csp_models import random_model
from tests.support.places import ROOT
from tests.support.tuning import Tune

PHILOSOPHERS = ROOT / "bench" / "models" / "dp.csp"
EXAMPLES = (
    "peterson.csp",
    "dining_philosophers.csp",
    "leader_election_ring.csp",
    "readers_writers.csp",
    "readers_writers.lts",
)
on_examples = pytest.mark.parametrize(
    "path", [find_example(name) for name in EXAMPLES], ids=lambda path: path.name
)


def wake_threads_early(tune: Tune) -> None:
    """Other threads are woken for next to nothing."""
    tune(least_work=2)


def what_stays(check: Callable[[], fairlead.Result]) -> Any:
    """What a check says, and must say however it is done."""
    try:
        result = check().to_json()
    except FairleadError as error:
        return str(error)
    varying = ["seconds", "memory_bytes"]
    if result["verdict"] == fairlead.Verdict.ERROR.value:  # how far other threads were when it happened
        varying += ["states", "transitions", "product_nodes"]
    for name in varying:
        del result[name]
    return result


def answers(model: fairlead.Model, notions: Sequence[Fairness], limits: fairlead.Limits) -> list[Any]:
    """What is said of all assertions of a model."""

    def check(question: Assertion, notion: Fairness) -> fairlead.Result:
        return model.check(question, notion, limits=limits)

    return [
        what_stays(lambda question=question, notion=notion: check(question, notion))
        for question in model.assertions
        for notion in model.notions_for(question, notions)
    ]


def random_texts(seeds: range) -> Iterator[tuple[int, str]]:
    """Random models that can be loaded, with their seeds."""
    for seed in seeds:
        text = random_model(seed)
        try:
            fairlead.loads(text)
        except FairleadError:
            continue
        yield seed, text
