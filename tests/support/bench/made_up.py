"""Measurements for the tests of the benchmark, made up or drawn by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping

from bench.measuring import Measurement, Outcome


def took(seconds: float, **fields: object) -> Measurement:
    """A measurement of which only a few things matter."""
    known: dict[str, object] = {
        "verdict": "holds",
        "states": 1000,
        "transitions": 5000,
        "seconds": seconds,
        "command_seconds": seconds + 0.3,
        "cpu_seconds": seconds,
        "total_bytes": 64_000,
        "state_bytes": None,
        "peak_bytes": 100_000,
    }
    return Measurement(**{**known, **fields})  # type: ignore[arg-type]


def outcome(
    part: str, name: str, measured: Mapping[str, Measurement], *, problems: tuple[str, ...] = ()
) -> Outcome:
    """An outcome called like `dp12-reach`."""
    head, kind = name.split("-", 1)
    system = head.rstrip("0123456789")
    return Outcome(name, part, system, head[len(system) :], kind, measured, problems)


def random_measurement(chance: random.Random) -> Measurement:
    """Any measurement that could come up."""
    seconds = 10 ** chance.uniform(-3, 2.5)
    return took(
        seconds,
        verdict=chance.choice(["holds", "violated"]),
        states=int(10 ** chance.uniform(0, 7)),
        transitions=int(10 ** chance.uniform(0, 8)),
        command_seconds=seconds * chance.uniform(1, 3),
        total_bytes=int(10 ** chance.uniform(3, 10)),
        state_bytes=chance.choice([None, int(10 ** chance.uniform(3, 10))]),
        unfinished=chance.random() < 0.1,
    )
