"""A server for the tests of a file, since one takes a second to start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mcp.agent import Agent, agent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the agent may read."""
    return tmp_path_factory.mktemp("models").resolve()


@pytest.fixture(scope="module")
def asked(folder: Path) -> Iterator[Agent]:
    """An agent."""
    with agent(folder) as found:
        yield found
