"""Disks that are full: a diagnostic, the file of before, and nothing else left behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.faults.commands import OLD, WRITING
from tests.support.faults.running import Place, assert_no_bug, assert_old_or_new

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of Unix")


def limit_files(size: int) -> None:
    """No file gets larger; Python has the signal for it ignored, so that writing fails as on a full disk."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [0, 20])
@pytest.mark.parametrize("name", WRITING)
def test_no_room(name: str, size: int, place: Place) -> None:
    """Not for the first byte, or not for all."""
    command = WRITING[name]
    names = place.prepare(command)
    status, _, err = place.run(*command.arguments, before=lambda: limit_files(size))
    assert_no_bug(err)
    if command.goes_on:
        assert status in command.statuses, err
        assert "warning" in err and "cannot write" in err, err
    else:
        assert status == 2, err
        assert "error[file]: cannot write" in err
    assert place.names == names
    for file in command.files:
        assert (place.folder / file).read_text(encoding="utf-8") == OLD, file


@pytest.mark.skipif(sys.platform != "linux", reason="states are kept on disk on Linux only")
@pytest.mark.parametrize("command", ["check", "graph"])
def test_no_room_for_states(command: str, place: Place) -> None:
    """The verdict is unknown, and says why; no file is left in the folder."""
    names = place.prepare(WRITING["graph -o"])
    limits = ("-D", "N=14", "--disk", ".", "--max-memory", "2M")
    asked = ("1", "--reduction", "none") if command == "check" else ("--format", "aut", "-o", "g.aut")
    status, out, err = place.run(command, "m.csp", *asked, *limits, before=lambda: limit_files(1 << 16))
    assert status == 3, err
    assert "disk" in out + err
    assert_no_bug(err)
    assert_old_or_new(place, WRITING["graph -o"])
    assert place.names == names


def test_no_room_for_the_key(place: Place, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Without a key there are no checkpoints; there is neither a half key nor a half cache afterwards."""
    home = tmp_path_factory.mktemp("new")
    command = WRITING["check --checkpoint"]
    new = Place(place.folder, home, place.found)
    new.prepare(command)
    status, _, err = new.run(*command.arguments, before=lambda: limit_files(0))
    assert status == 2, err
    assert "error[file]: there is no key to sign files with" in err
    assert not [path for path in Path(home).rglob("*") if path.is_file()]
    assert new.run(*command.arguments)[0] == 3
