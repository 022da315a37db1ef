"""Signals at a moment at which nothing could be saved wait for a better one, but not for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from fairlead.base import deferring
from fairlead.base.deferring import LONGEST, must_wait


def test_only_bad_moments_wait() -> None:
    assert not must_wait()
    is_bad = True
    with deferring.deferring(lambda: is_bad):
        assert must_wait()
        is_bad = False
        assert not must_wait()
    assert not must_wait()


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with deferring.deferring(lambda: True):
        assert must_wait()
        now += LONGEST / 2
        assert must_wait()
        now += LONGEST
        assert not must_wait()
        assert must_wait(), "the next signal waits anew"


def test_an_inner_moment_does_not_outlast_itself() -> None:
    with deferring.deferring(lambda: True):
        with deferring.deferring(lambda: False):
            assert not must_wait()
        assert must_wait()


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM"])
def test_a_signal_arrives_when_the_moment_has_passed(sent: str) -> None:
    code = (
        "import signal, time\n"
        "from fairlead.base.deferring import deferring\n"
        "from fairlead.cli.signals import interruptible, listen\n"
        "listen()\n"
        "rounds = 0\n"
        "def work():\n"
        "    global rounds\n"
        "    with deferring(lambda: rounds < 20):\n"
        f"        signal.raise_signal(signal.{sent})\n"
        "        while True:\n"
        "            rounds += 1\n"
        "            time.sleep(0.002)\n"
        "try:\n"
        "    interruptible(work)\n"
        "except KeyboardInterrupt as error:\n"
        "    print(rounds >= 20, type(error).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expected = "KeyboardInterrupt" if signal.Signals[sent] == signal.SIGINT else "Ended"
    assert done.stdout == f"True {expected}\n", done.stderr
