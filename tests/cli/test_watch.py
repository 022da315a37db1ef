"""`check --watch`: checks again on every save, survives mistakes, and ends with Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairlead.base.files import read_text, recorded_reads, stamp_of

PART = "P() = a -> {};\n"
MODEL = '#include "part.csp";\n#assert P() deadlockfree;\n'


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """A command that watches; gives what it said, once a text was said that was not there before."""
    (tmp_path / "part.csp").write_text(PART.format("P()"), encoding="utf-8")
    (tmp_path / "m.csp").write_text(MODEL, encoding="utf-8")
    heard = tmp_path / "heard"
    with heard.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "fairlead", "check", "m.csp", "--watch", "--no-trace"],
            cwd=tmp_path,
            stdout=file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
    rounds = 0

    def after(wanted: str) -> str:
        nonlocal rounds
        rounds += 1
        for _ in range(1200):
            said = heard.read_text(encoding="utf-8").split("watching ")
            if len(said) > rounds and wanted in said[rounds - 1]:
                return said[rounds - 1]
            assert process.poll() is None, heard.read_text(encoding="utf-8")
            time.sleep(0.05)
        raise AssertionError(heard.read_text(encoding="utf-8"))

    try:
        yield after
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 1
        assert "Traceback" not in heard.read_text(encoding="utf-8")
        assert "interrupted" not in heard.read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()


def save(path: Path, text: str) -> None:
    """As editors do: a new file in the place of the old one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def test_it_checks_again(watching: Callable[[str], str], tmp_path: Path) -> None:
    watching("holds")
    save(tmp_path / "part.csp", PART.format("-> ["))
    assert "part.csp:1:" in watching("error[syntax]")
    (tmp_path / "part.csp").unlink()
    watching("there is no file")
    save(tmp_path / "part.csp", PART.format("P()"))
    watching("holds")
    save(tmp_path / "m.csp", MODEL + "Q() = b -> Stop;\n#assert Q() deadlockfree;\n")
    assert "holds" in watching("violated")


def test_reads_are_recorded(tmp_path: Path) -> None:
    file, missing = tmp_path / "a.csp", tmp_path / "b.csp"
    file.write_text("P = a -> P;", encoding="utf-8")
    with recorded_reads() as reads:
        read_text(file)
        with pytest.raises(Exception, match="cannot read"):
            read_text(missing)
    assert reads == {file: stamp_of(file), missing: None}
    read_text(file)
    assert len(reads) == 2
    file.write_text("P = a -> b -> P;", encoding="utf-8")
    assert stamp_of(file) != reads[file]
