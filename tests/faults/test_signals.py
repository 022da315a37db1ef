"""Signals at random moments: the command ends with a documented status, and files are old or new."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.support.faults.commands import COMMANDS
from tests.support.faults.running import (
    Place,
    assert_no_bug,
    assert_old_or_new,
    environment,
    wait_until_listening,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of Unix")

SIGNALS = {"INT": 2, "TERM": 15, "HUP": 1, "KILL": 9}
STATUS = {"INT": 130, "TERM": 143, "HUP": 129, "KILL": -9}
#: after the process listens, a signal comes at some moment of so many seconds: most commands take less
LONGEST = 0.35
MANY = 60


def disturb(place: Place, name: str, sent: str, delay: float) -> None:
    """Sends a signal after a time; a command may have ended by then."""
    command = COMMANDS[name]
    names = place.prepare(command)
    with place.started(*command.arguments) as process:
        wait_until_listening(process)
        time.sleep(delay)
        process.send_signal(SIGNALS[sent])
        _, err = process.communicate()
    said = f"{name}, {sent} after {delay:.3f} s: {err.decode()}"
    assert process.returncode in (STATUS[sent], *command.statuses), f"{process.returncode}: {said}"
    assert_no_bug(said)
    assert_old_or_new(place, command)
    if sent != "KILL":  # nobody can clean up then
        assert place.names == names, said
        if process.returncode == STATUS[sent]:
            assert ("interrupted" if sent == "INT" else f"ended by SIG{sent}") in said


@pytest.mark.parametrize("sent", SIGNALS)
@pytest.mark.parametrize("name", COMMANDS)
def test_signal(name: str, sent: str, place: Place) -> None:
    disturb(place, name, sent, random.Random(f"{name} {sent}").uniform(0, LONGEST))


@pytest.mark.long
@pytest.mark.parametrize("sent", SIGNALS)
@pytest.mark.parametrize("name", COMMANDS)
def test_many_signals(name: str, sent: str, place: Place) -> None:
    moments = random.Random(f"many {name} {sent}")
    for _ in range(MANY):
        disturb(place, name, sent, moments.uniform(0, LONGEST))


@pytest.mark.parametrize("sent", ["TERM", "HUP"])
def test_a_checkpoint_is_stored(sent: str, place: Place) -> None:
    """While records are packed anew nothing can be saved, so one of several signals may come in vain."""
    names = place.prepare(COMMANDS["check"])
    asked = ("m.csp", "1", "-D", "N=25", "--reduction", "none")
    for _ in range(8):
        with place.started("check", *asked, "--checkpoint", "saved") as process:
            wait_until_listening(process)
            while process.poll() is None and not (place.folder / "saved.lock").exists():
                time.sleep(0.005)
            time.sleep(0.3)
            process.send_signal(SIGNALS[sent])
            _, err = process.communicate()
        assert process.returncode == STATUS[sent], err
        if (place.folder / "saved").exists():
            break
    assert b"continue with: --resume saved" in err
    assert place.names == {*names, "saved"}
    status, _, told = place.run("check", *asked, "--resume", "saved", "--max-states", "1")
    assert status == 3, told


@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGTERM"])
def test_a_signal_that_is_ignored_stays_ignored(name: str, place: Place) -> None:
    """As `nohup` has it, and shells for what runs in the background."""
    place.prepare(COMMANDS["check"])
    number = getattr(signal, name)

    def ignore() -> None:
        signal.signal(number, signal.SIG_IGN)

    with place.started("check", "m.csp", before=ignore) as process:
        for _ in range(5):
            time.sleep(0.03)
            process.send_signal(number)
        process.communicate()
    assert process.returncode == 1


def test_watching_ends(place: Place) -> None:
    place.prepare(COMMANDS["check"])
    with place.started("check", "m.csp", "--watch") as process:
        assert process.stderr is not None
        while b"watching" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert (process.returncode, err) == (143, b"\nended by SIGTERM\n")


@pytest.mark.parametrize("sent", ["INT", "TERM"])
def test_while_the_engine_is_loaded(sent: str, place: Place) -> None:
    """An exception in the midst of that would abort the process; it waits until the engine is there."""
    place.prepare(COMMANDS["check"])
    code = (
        "import enum, signal, sys\n"
        "usual = enum.EnumType.__call__\n"
        "def call(cls, *args, **named):\n"
        "    if args and args[0] == 'LocalRole':\n"
        f"        signal.raise_signal({SIGNALS[sent]})\n"
        "    return usual(cls, *args, **named)\n"
        "enum.EnumType.__call__ = call\n"
        "sys.argv = ['fairlead', 'check', 'm.csp']\n"
        "from fairlead.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=place.folder,
        env=environment(place.home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == STATUS[sent], done.stderr
    assert_no_bug(done.stderr)
