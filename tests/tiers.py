"""The fast tier, `pytest --fast`: which tests it leaves out, and how that list is made.

`slow_tests.txt` names every test function that takes longer than `SLOW` seconds, all its cases together, and
how many of its first cases the fast tier runs all the same. `make test-times` runs the whole suite and
writes the list again. Tests with the marker `sampled` run their first case, with few random models.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

LIST = Path(__file__).with_name("slow_tests.txt")
#: a test function that takes so many seconds is on the list
SLOW = 0.3
#: the first cases of such a function run in the fast tier, if they take no longer than this together
SAMPLE = 0.15
#: never in the fast tier, however fast they were where they were measured: browsers, builds of the manual
NEVER = ("tests/present/html/test_browser.py", "tests/docs/test_site.py")
HEADER = """\
# Tests that are slow, and how many of their first cases run in the fast tier (`pytest --fast`).
# Written by `make test-times`; see tests/tiers.py.
"""


def slow_tests() -> dict[str, int]:
    """How many cases of each slow test function the fast tier runs."""
    rows = (
        line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")
    )
    return {name: int(kept) for kept, name in rows}


def is_never_fast(name: str) -> bool:
    """Whether a test, named by its path and function, is for the other tiers only."""
    return name.startswith(NEVER)


def fast(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests of the fast tier, and the others."""
    most = slow_tests()
    met: Counter[str] = Counter()
    chosen: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        name = item.nodeid.partition("[")[0]
        met[name] += 1
        if is_never_fast(name) or item.get_closest_marker("long"):
            kept = False
        elif item.get_closest_marker("sampled"):
            kept = met[name] == 1
        else:
            kept = name not in most or met[name] <= most[name]
        (chosen if kept else others).append(item)
    return chosen, others


def measured(report: Path) -> str:
    """The list as the JUnit report of a whole run has it."""
    times: dict[str, list[float]] = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        path, function = str(case.get("classname")).replace(".", "/"), str(case.get("name")).partition("[")[0]
        times.setdefault(f"{path}.py::{function}", []).append(float(str(case.get("time"))))
    rows = (
        f"{kept_of(seconds):3} {name}\n" for name, seconds in sorted(times.items()) if sum(seconds) > SLOW
    )
    return HEADER + "".join(rows)


def kept_of(seconds: Sequence[float]) -> int:
    """How many of the first cases do not take long together."""
    total = 0.0
    for number, one in enumerate(seconds):
        total += one
        if total > SAMPLE:
            return number
    return len(seconds)


if __name__ == "__main__":  # python -m tests.tiers REPORT
    LIST.write_text(measured(Path(sys.argv[1])), encoding="utf-8")
