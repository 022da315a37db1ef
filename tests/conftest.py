"""Settings for all tests: the option `--fast`, and the fixture `tune`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from fairlead.base.tuning import tuned
from tests import tiers
from tests.support import sampling
from tests.support.tuning import Tune

# in the background, shells have Ctrl-C ignored, and the commands that tests start would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="only fast tests, and few random models of each kind"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        sampling.draw_samples()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--fast"):
        items[:], others = tiers.fast(items)
        config.hook.pytest_deselected(items=others)


@pytest.fixture
def tune() -> Iterator[Tune]:
    """Changes numbers of `fairlead.base.tuning`, by name, until the end of the test."""
    with ExitStack() as changes:

        def change(**numbers: int | None) -> None:
            changes.enter_context(tuned(**numbers))

        yield change
