"""Settings for all tests: the option `--fast`."""

from __future__ import annotations

import signal

import pytest

from tests import tiers
from tests.support import sampling

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
