"""A server for the tests of a file, since one takes a second to start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.lsp.client import Client, served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client with a server that must have no complaints at the end."""
    with served() as found:
        found.initialize(tmp_path_factory.mktemp("models"))
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the models of a test are."""
    return tmp_path.resolve()
