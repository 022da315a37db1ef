"""How many copies of a process there are, as it is chosen from outside: `Reader=5`, `Writer=3..inf`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.records import dataclass

_NUMBER = re.compile(r"(?P<number>[0-9]{1,18})|(?:(?P<least>[0-9]{1,18})\s*\.\.\s*)?inf")
_FORMS = "write it as 'Reader=5', 'Reader=inf' (any number) or 'Reader=3..inf' (any number from 3 on)"


@dataclass(frozen=True)
class Number:
    """How many copies: exactly `least`, or any number from `least` on."""

    least: int
    is_unbounded: bool


def parse_process_numbers(text: str) -> dict[str, str]:
    """The parts of a text such as `Reader=inf,Writer=5`: numbers, still as text, by name."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, sign, number = (word.strip() for word in part.rpartition("="))
        if not sign or not name:
            raise input_error(
                Code.USAGE, f"--processes: '{part.strip()}' is not a number of processes", hint=_FORMS
            )
        if name in found:
            raise input_error(Code.USAGE, f"--processes: '{name}' is given twice")
        read_number(name, number)
        found[name] = number
    return found


def read_number(name: str, text: str) -> Number:
    """The number that a text says: `5`, `inf` or `3..inf`."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        raise input_error(
            Code.USAGE, f"--processes {name}={text}: this is not a number of processes", hint=_FORMS
        )
    least = int(found["number"] or found["least"] or 1)
    if least < 1:
        raise input_error(Code.USAGE, f"--processes {name}={text}: there must be at least one process")
    return Number(least, found["number"] is None)


def read_numbers(processes: Mapping[str, str]) -> dict[str, Number]:
    """The numbers that are chosen, by the name of the process."""
    return {name: read_number(name, text) for name, text in processes.items()}
