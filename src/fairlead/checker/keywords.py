"""The options of a check as keyword arguments of Python functions: those of the command line, one by one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypedDict

from fairlead.base.arguments import (
    FILE,
    FOLDER,
    NOTHING,
    NUMBER,
    Expected,
    argument_error,
    unknown_argument,
)
from fairlead.checker.options import CheckOptions, Counters, Reduction, parse_reduction
from fairlead.outcome.limits import A_SIZE, Limits, size_of
from fairlead.outcome.vacuity import VacuityCheck
from fairlead.search.checkpoint import Checkpoints


class OptionArguments(TypedDict, total=False):
    """The options as keyword arguments of a Python function."""

    fair: str | Sequence[str] | None
    compositional: bool
    counters: bool | Counters | None
    reduction: str | Reduction
    limits: Limits | None
    checkpoints: Checkpoints | None
    vacuity: bool | VacuityCheck | None
    shortest: bool
    seed: int
    counterexamples: int
    # single parts of the limits, the checkpoints and the counters
    max_states: int | None
    max_memory: int | str | None
    timeout: float | None
    threads: int | None
    disk: str | os.PathLike[str] | None
    disk_limit: int | str | None
    checkpoint: str | os.PathLike[str] | None
    checkpoint_every: float
    resume: str | os.PathLike[str] | None
    cutoff: int
    certificate: str | os.PathLike[str] | None


_SWITCH = Expected("True or False", (bool,))
_SIZE = Expected(f"a number of bytes, or {A_SIZE}", (int, str, NOTHING))
_COUNT = Expected("a whole number of 1 or more", (int, NOTHING))
_FILE = Expected(FILE.words, (*FILE.types, NOTHING))
_SECONDS = Expected("a number of seconds", (int, float, NOTHING))

#: what each of them may be
EXPECTED: Mapping[str, Expected] = {
    "fair": Expected(
        "a fairness formula as text, or several of them",
        (str, list, tuple, NOTHING),
        hint="such as 'GF a' or 'weak(P())'",
    ),
    "compositional": _SWITCH,
    "counters": Expected("True, False or a Counters", (bool, Counters, NOTHING)),
    "reduction": Expected("the name of a reduction, or a Reduction", (str, Reduction)),
    "limits": Expected(
        "a Limits",
        (Limits, NOTHING),
        hint="limits=fairlead.Limits(max_states=1000), or max_states=1000",
    ),
    "checkpoints": Expected("a Checkpoints", (Checkpoints, NOTHING)),
    "vacuity": Expected("True, False, None or a VacuityCheck", (bool, VacuityCheck, NOTHING)),
    "shortest": _SWITCH,
    "seed": NUMBER,
    "counterexamples": NUMBER,
    "max_states": _COUNT,
    "max_memory": _SIZE,
    "timeout": _SECONDS,
    "threads": _COUNT,
    "disk": FOLDER,
    "disk_limit": _SIZE,
    "checkpoint": _FILE,
    "checkpoint_every": _SECONDS,
    "resume": _FILE,
    "cutoff": NUMBER,
    "certificate": _FILE,
}


def options_of(
    given: Mapping[str, Any],
    base: CheckOptions | None = None,
    function: str = "check",
    others: Iterable[str] = (),
) -> CheckOptions:
    """The options that keyword arguments say; what they do not say is that of the base.

    An argument that is not known may have been meant to be one of the `others` of the function.
    """
    for name, value in given.items():
        if name not in EXPECTED:
            raise unknown_argument(function, name, [*EXPECTED, *others])
        EXPECTED[name].check(function, name, value)
    whole = {item.name for item in fields(CheckOptions)}
    named = {name: _READERS[name](value) for name, value in given.items() if name in whole & _READERS.keys()}
    named |= {name: given[name] for name in given.keys() & whole - _READERS.keys()}
    parts = {name: value for name, value in given.items() if name not in whole}
    options = replace(base or CheckOptions(), **named)
    return _with_parts(options, parts, function) if parts else options


def all_of(conditions: Sequence[str]) -> str | None:
    """The fairness formula of several ones: all of them."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return " && ".join(f"({condition})" for condition in conditions)


def _with_parts(options: CheckOptions, parts: Mapping[str, Any], function: str) -> CheckOptions:
    """The options, with single limits and similar arguments put together."""
    limits = {}
    for name in ("max_states", "threads"):
        if name in parts:
            limits[name] = _least(function, name, parts[name], 1)
    for name in ("max_memory", "disk_limit"):
        if name in parts:
            limits[name] = _size(function, name, parts[name])
    if "timeout" in parts:
        limits["timeout"] = _least(function, "timeout", parts["timeout"], 0)
    if "disk" in parts:
        limits["disk"] = _path(parts["disk"])
    changed = replace(options, limits=replace(options.limits, **limits))
    if "cutoff" in parts:
        if changed.counters is None:
            raise argument_error(f"{function}(): 'cutoff' is for 'counters'")
        changed = replace(changed, counters=replace(changed.counters, cutoff=parts["cutoff"]))
    saving = {"checkpoint": "save", "resume": "resume", "checkpoint_every": "every"}
    chosen: dict[str, Any] = {
        part: parts[name] if part == "every" else _path(parts[name])
        for name, part in saving.items()
        if name in parts
    }
    if chosen:
        changed = replace(changed, checkpoints=replace(changed.checkpoints or Checkpoints(), **chosen))
    return changed


def _least(function: str, name: str, value: float | None, least: int) -> Any:
    if value is not None and value < least:
        raise argument_error(f"{function}(): '{name}' must be {least} or more, not {value}")
    return value


def _size(function: str, name: str, value: int | str | None) -> int | None:
    if not isinstance(value, str):
        return value
    size = size_of(value)
    if size is None:
        raise argument_error(f"{function}(): '{name}' must be {_SIZE.words}, not {value!r}")
    return size


def _path(value: str | os.PathLike[str] | None) -> str | None:
    return None if value is None else os.fspath(value)


def _counters(value: bool | Counters | None) -> Counters | None:
    if isinstance(value, Counters):
        return value
    return Counters() if value else None


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "certificate": _path,
    "fair": lambda value: value if value is None or isinstance(value, str) else all_of(value),
    "counters": _counters,
    "reduction": parse_reduction,
    "limits": lambda value: value or Limits(),
    "vacuity": lambda value: value if isinstance(value, VacuityCheck) else VacuityCheck.of(value),
}
