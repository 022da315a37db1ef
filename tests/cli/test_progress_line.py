"""The progress line: what it says at any width, how fast things go, and the line on a terminal."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from fairlead.cli.progress import RecentRate, Shown, line_text, rate_text, size_text, time_text
from fairlead.outcome.events import Phase, Progress

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")

SHOWN = Shown(
    "pwf",
    Progress(Phase.EXPLORING, 1_234_567, 7_654_321, 200 << 20, 12.0, 42, 0, 4 << 30),
    45_678.0,
    0.0,
    75.4,
)
SEARCHING = Shown(
    "esf", Progress(Phase.CYCLE, 98_765, 456_789, 30 << 20, 3.0, 17, 123_456, None), 0.0, 2_500_000.0, 3.9
)
WIDTHS = range(20, 201)


# ---------------------------------------------------------------- texts


def test_all_parts_are_there_if_there_is_room() -> None:
    assert line_text(SHOWN, 200) == (
        "[pwf] exploring: 1,234,567 states, 46k/s, depth 42, 7,654,321 transitions, 200 MB of 4.0 GB, 1:15"
    )
    assert line_text(SEARCHING, 200) == (
        "[esf] searching for a fair cycle: 98,765 states, 2.5M/s nodes, depth 17, 456,789 transitions, "
        "123,456 nodes, 30 MB, 0:03"
    )


@pytest.mark.parametrize("shown", [SHOWN, SEARCHING], ids=["exploring", "searching"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_line_fits_and_names_the_phase(shown: Shown, width: int) -> None:
    text = line_text(shown, width)
    assert len(text) <= width
    phase = shown.progress.phase.value
    assert phase[: width - 1] in text


@pytest.mark.parametrize("shown", [SHOWN, SEARCHING], ids=["exploring", "searching"])
def test_more_room_never_shows_less(shown: Shown) -> None:
    parts = [set(re.split(r", (?!\d)|: ", line_text(shown, width).rstrip("…"))) for width in WIDTHS]
    counts = [len(found) for found in parts]
    assert counts == sorted(counts)


def test_states_outlive_transitions() -> None:
    narrow = line_text(SHOWN, 45)
    assert "1,234,567 states" in narrow and "transitions" not in narrow


def test_very_narrow_terminals() -> None:
    assert [len(line_text(SHOWN, width)) for width in range(4)] == [0, 1, 2, 3]


def test_nothing_is_said_of_what_is_not_known() -> None:
    reading = Shown("", Progress(Phase.READING, 0, 0, 0, 0.0), 0.0, 0.0, 2.0)
    assert line_text(reading, 80) == "reading the model: 0:02"


@pytest.mark.parametrize(
    ("bytes_", "text"),
    [(0, "0 kB"), (200 << 10, "200 kB"), (1 << 20, "1 MB"), (1023 << 20, "1023 MB"), (3 << 29, "1.5 GB")],
)
def test_sizes(bytes_: int, text: str) -> None:
    assert size_text(bytes_) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [(0, "0/s"), (870, "870/s"), (999.7, "1k/s"), (45_600, "46k/s"), (999_700, "1.0M/s"), (2.34e6, "2.3M/s")],
)
def test_rates(rate: float, text: str) -> None:
    assert rate_text(rate) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.9, "0:00"), (7, "0:07"), (754, "12:34"), (3723, "1:02:03")])
def test_times(seconds: float, text: str) -> None:
    assert time_text(seconds) == text


# ---------------------------------------------------------------- rates


def test_a_rate_is_that_of_the_last_seconds() -> None:
    rate = RecentRate()
    for tenth in range(100):  # fast at first
        rate.add(tenth / 10, tenth * 1000)
    assert rate.per_second == pytest.approx(10_000)
    for tenth in range(100, 200):  # then slow
        rate.add(tenth / 10, 99_000 + (tenth - 99) * 10)
    assert rate.per_second == pytest.approx(100)


def test_a_rate_begins_anew_with_another_count() -> None:
    rate = RecentRate()
    rate.add(0.0, 5000)
    rate.add(1.0, 10)
    assert rate.per_second == 0.0
    rate.add(2.0, 30)
    assert rate.per_second == pytest.approx(20)


def test_a_rate_of_one_moment() -> None:
    rate = RecentRate()
    assert rate.per_second == 0.0
    rate.add(1.0, 10)
    rate.add(1.0, 20)
    assert rate.per_second == 0.0


# ---------------------------------------------------------------- on a terminal

#: a counter that never ends; the check is ended by its time
MODEL = (
    "var x = 0; var y = 0; C() = [x >= 0] up{x = x + 1;} -> C() [] [y >= 0] on{y = y + 1;} -> C();"
    " #assert C() deadlockfree;"
)
COMMAND = [sys.executable, "-m", "fairlead"]


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "m.csp"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def on_terminal(*arguments: str, width: int = 120, resized: int | None = None, **environment: str) -> str:
    """All that a command writes to a terminal; standard output goes elsewhere."""
    master, slave = pty.openpty()

    def resize(columns: int) -> None:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    resize(width)
    kept = {name: text for name, text in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env={**kept, "TERM": "xterm", **environment},
    )
    found, deadline = b"", time.monotonic() + 120
    while time.monotonic() < deadline:
        ready = select.select([master], [], [], 0.1)[0]
        if ready:
            found += os.read(master, 65536)
        elif process.poll() is not None:
            break
        if resized is not None and b"states" in found:
            resize(resized)
            resized = None
    os.close(slave)
    os.close(master)
    assert process.wait() in (0, 1, 2, 3)
    return found.decode(errors="replace")


def drawn(written: str) -> list[str]:
    """The lines that were drawn, one over the other."""
    return [line for line in re.split(r"(?:\x1b\[\d+A)?\r\x1b\[J", written) if line]


def test_the_line_appears_and_disappears(model: str) -> None:
    written = on_terminal("check", model, "--timeout", "1.5", "--max-memory", "2G")
    lines = drawn(written)
    assert lines, written
    line = next(line for line in reversed(lines) if "states" in line)
    assert re.fullmatch(
        r"\[none\] exploring: [\d,]+ states, [\d.]+[kM]?/s, depth [\d,]+, [\d,]+ transitions, "
        r"[\d.]+ [kMG]B of 2\.0 GB, \d:\d\d",
        line,
    )
    assert written.endswith("\r\x1b[J"), "it is taken away at the end"
    counts = [
        int(match[1].replace(",", "")) for line in lines if (match := re.search(r"([\d,]+) states", line))
    ]
    assert counts == sorted(counts) and counts[-1] > counts[0]


def test_the_line_fits_the_terminal(model: str) -> None:
    lines = drawn(on_terminal("check", model, "--timeout", "1", width=40))
    assert lines and all(len(line) < 40 for line in lines)


def test_a_terminal_that_becomes_narrower(model: str) -> None:
    written = on_terminal("check", model, "--timeout", "2", width=150, resized=40)
    assert "\x1b[2A" in written or "\x1b[1A" in written, "rows that were wrapped are taken away as well"
    assert len(drawn(written)[-1]) < 40


@pytest.mark.parametrize("option", ["--quiet", "--json"])
def test_no_line_if_it_is_not_wanted(model: str, option: str) -> None:
    assert on_terminal("check", model, "--timeout", "0.8", option) == ""


def test_no_line_on_a_terminal_that_cannot_redraw(model: str) -> None:
    assert on_terminal("check", model, "--timeout", "0.8", TERM="dumb") == ""


def test_no_line_in_a_pipe(model: str) -> None:
    found = subprocess.run(
        [*COMMAND, "check", model, "--timeout", "0.8"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 3 and found.stderr == ""


def test_errors_come_after_the_line(tmp_path: Path) -> None:
    path = tmp_path / "m.csp"
    text = "var x:{0..700} = 0; var y:{0..700} = 0; #assert P() deadlockfree;"
    text += "P() = [x < 700] a{x = x + 1;} -> P() [] b{y = y + 1;} -> P();"
    path.write_text(text, "utf-8")
    written = on_terminal("check", str(path))
    last = re.split(r"\r\x1b\[J", written)[-1]
    assert "error[value-out-of-range]" in last
    assert "more: fairlead explain value-out-of-range" in last
