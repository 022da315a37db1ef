"""The commands of these tests do what they are for when nothing disturbs them."""

from __future__ import annotations

import pytest

from tests.support.faults.commands import COMMANDS, OLD
from tests.support.faults.running import Place, assert_no_bug, assert_old_or_new


@pytest.mark.parametrize("name", COMMANDS)
def test_command(name: str, place: Place) -> None:
    command = COMMANDS[name]
    names = place.prepare(command)
    status, _, err = place.run(*command.arguments)
    assert status in command.statuses, err
    assert_no_bug(err)
    assert_old_or_new(place, command)
    assert place.names == names
    for file in command.files:
        assert (place.folder / file).read_bytes() != OLD.encode(), file
