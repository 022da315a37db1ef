"""Reads ranges of `-D`: `-D N=2..6` and `-D N=2,4,8` check a model with each of these values."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass
from fairlead.cli.model import parse_definitions

#: more combinations of values than these are taken for a mistake
MOST = 10_000
_RANGE = re.compile(r"(-?[0-9]{1,18})\s*\.\.\s*(-?[0-9]{1,18})")


@dataclass(frozen=True)
class Sweep:
    """The constants that have several values, and what else is defined."""

    values: Mapping[str, Sequence[str]]
    fixed: Mapping[str, str]

    @property
    def points(self) -> list[dict[str, str]]:
        """Every combination of values; one without any, if no constant has several."""
        return [
            dict(zip(self.values, chosen, strict=True)) for chosen in itertools.product(*self.values.values())
        ]


def sweep_of(texts: tuple[str, ...]) -> Sweep:
    """What `-D` options say."""
    given = parse_definitions(texts)
    values = {name: _values(name, text) for name, text in given.items()}
    several = {name: found for name, found in values.items() if len(found) > 1 or found[0] != given[name]}
    count = math.prod(map(len, several.values()))
    if count > MOST:
        raise input_error(Code.USAGE, f"-D: these are {count:,} combinations of values, of at most {MOST:,}")
    return Sweep(several, {name: text for name, text in given.items() if name not in several})


def _values(name: str, text: str) -> list[str]:
    """The values that a text lists, each once."""
    found: dict[str, None] = {}
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            if not part.strip():
                raise input_error(Code.USAGE, f"-D {name}={text}: a value is missing")
            found[part.strip()] = None
            continue
        first, last = int(match[1]), int(match[2])
        if first > last:
            raise input_error(Code.USAGE, f"-D {name}={text}: the range {part.strip()} is empty")
        if last - first >= MOST:
            raise input_error(Code.USAGE, f"-D {name}={text}: these are more than {MOST:,} values")
        found |= dict.fromkeys(map(str, range(first, last + 1)))
    return list(found)
