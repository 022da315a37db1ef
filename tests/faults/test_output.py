"""Standard output and standard error that are closed, full, or without a reader."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.faults.commands import COMMANDS
from tests.support.faults.running import Place, assert_no_bug, assert_old_or_new

pytestmark = pytest.mark.skipif(os.name != "posix", reason="descriptors of Unix")

BROKEN_PIPE = 141
#: commands that say nothing on standard output
SILENT = {"graph -o", "graph svg"}


def close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
def test_closed(closed: tuple[int, ...], place: Place) -> None:
    """As if it were /dev/null; in particular no file takes the place of the stream."""
    for name in ("check", "check --html", "check --checkpoint", "graph -o", "simulate"):
        command = COMMANDS[name]
        names = place.prepare(command)
        status, _, err = place.run(*command.arguments, before=lambda: close(*closed))
        assert status in command.statuses, (name, err)
        assert_no_bug(err)
        assert_old_or_new(place, command)
        assert place.names >= names
        for file in command.files:
            (place.folder / file).unlink()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_full(name: str, place: Place) -> None:
    command = COMMANDS[name]
    names = place.prepare(command)
    with Path("/dev/full").open("wb") as full, place.started(*command.arguments, stdout=full) as process:
        _, err = process.communicate()
    assert_no_bug(err.decode())
    assert_old_or_new(place, command)
    assert place.names == names
    if process.returncode != 2:
        assert name in SILENT and process.returncode in command.statuses, err
    else:
        assert b"error[file]: cannot write the output: No space left on device" in err


def test_full_messages(place: Place) -> None:
    """The status is right even if nobody can be told why."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    place.prepare(COMMANDS["check"])

    def fill() -> None:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 2)

    assert place.run("check", "nothing.csp", before=fill)[0] == 2
    assert place.run("check", "m.csp", "--no-such-option", before=fill)[0] == 2
    assert place.run("check", "m.csp", "--quiet", before=fill)[0] == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_no_reader(name: str, place: Place) -> None:
    """Not a status that could be taken for an answer."""
    command = COMMANDS[name]
    names = place.prepare(command)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        with place.started(*command.arguments, stdout=writing) as process:
            _, err = process.communicate()
    finally:
        os.close(writing)
    assert_old_or_new(place, command)
    assert place.names == names
    if name in SILENT:
        assert process.returncode in command.statuses, err
    else:
        assert process.returncode == BROKEN_PIPE, err
        assert err == b"", err


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_who_leaves(unbuffered: str, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a buffer, Python itself would drop what the pipe does not take, and continue."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    place.prepare(COMMANDS["graph -o"])
    with place.started("graph", "m.csp", "-D", "N=9", "--format", "aut") as process:
        assert process.stdout is not None
        assert process.stdout.read(3) == b"des"
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate()
    assert (process.returncode, err) == (BROKEN_PIPE, b"")
