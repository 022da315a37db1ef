"""What the manual says about the tests is so."""

from __future__ import annotations

import re

from tests.support.places import DOCS, TESTS

#: a row of the table: file, what is compared, how many models, how many more
_ROW = re.compile(r"^\| `([\w/]+\.py)` \| .* \| ([\d,]+) \| ([\d,]+) \|$", re.MULTILINE)
_SEEDS = re.compile(r"^(LONG_)?(?:DEFAULT_|CTL_|CTL_STAR_)?SEEDS = range\(([\d_, ]+)\)$", re.MULTILINE)


def test_numbers_of_random_models() -> None:
    page = (DOCS / "explanation" / "trustworthy.md").read_text(encoding="utf-8")
    rows = _ROW.findall(page)
    assert len(rows) > 8
    for file, default, more in rows:
        counts = {"": 0, "LONG_": 0}
        for kind, bounds in _SEEDS.findall((TESTS / file).read_text(encoding="utf-8")):
            counts[kind] += len(range(*map(int, bounds.split(","))))
        assert {"": int(default.replace(",", "")), "LONG_": int(more.replace(",", ""))} == counts, file
