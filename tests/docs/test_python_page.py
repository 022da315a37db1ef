"""The Python page has every public function, with the signature that it has in the code."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import pytest

import fairlead
import fairlead.simulation
from fairlead.checker.keywords import OptionArguments
from tests.support.places import ROOT

PAGE = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
#: those whose methods are all on the page
CLASSES = (fairlead.Model, fairlead.Results, fairlead.Report, fairlead.Advice, fairlead.Evidence)
SPANS = set(re.findall(r"`([^`\n]+)`", PAGE))


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions and methods, by the names under which the page has them."""
    for name in fairlead.__all__:
        if inspect.isfunction(found := getattr(fairlead, name)):
            yield name, found
    for name in fairlead.simulation.__all__:
        if inspect.isfunction(found := getattr(fairlead.simulation, name)):
            yield name, found
    for kind in CLASSES:
        for name, found in vars(kind).items():
            if inspect.isfunction(found) and not name.startswith("_"):
                yield name, found


def signature(name: str, function: Callable[..., Any]) -> str:
    """A signature as the page writes it: without types, texts in double quotes."""
    parts: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        text = f"**{parameter.name}" if parameter.kind is parameter.VAR_KEYWORD else parameter.name
        if parameter.default is not parameter.empty:
            text += f"={default_text(parameter.default)}"
        parts.append(text)
    return f"{name}({', '.join(parts)})"


def default_text(default: object) -> str:
    value = default.value if isinstance(default, Enum) else default
    return repr(value).replace("'", '"') if isinstance(value, str) else repr(value)


@pytest.mark.parametrize(
    ("name", "function"), functions(), ids=lambda found: getattr(found, "__name__", found)
)
def test_signatures(name: str, function: Callable[..., Any]) -> None:
    assert signature(name, function) in SPANS
    assert function.__doc__


def test_a_wrong_signature_is_noticed() -> None:
    def check(assertion: str, fairness: str | None = None) -> None:
        """Not the one."""

    assert signature("check", check) == "check(assertion, fairness=None)"
    assert signature("check", check) not in SPANS


@pytest.mark.parametrize(
    "record", [fairlead.Limits, fairlead.Checkpoints, fairlead.Counters], ids=lambda record: record.__name__
)
def test_records_are_written_as_they_are_made(record: type) -> None:
    public = [
        f"{field.name}={default_text(field.default)}"
        for field in dataclasses.fields(record)
        if field.name != "identity"  # set by the model
    ]
    flat = " ".join(PAGE.split())
    assert f"`{record.__name__}({', '.join(public)})`" in flat


def test_every_option_is_explained() -> None:
    names = {field.name for field in dataclasses.fields(fairlead.CheckOptions)}
    assert names < set(OptionArguments.__annotations__)
    table = PAGE.partition("### Options")[2].partition("```")[0]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", table, re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"\w+", row)} == set(OptionArguments.__annotations__)


def test_every_public_name_is_mentioned() -> None:
    missing = [name for name in fairlead.__all__ if not re.search(rf"\b{name}\b", PAGE)]
    assert missing == []


def test_members_of_results_are_explained() -> None:
    table = PAGE.partition("## `Result` and evidence")[2].partition("A result is true")[0]
    told = set(re.findall(r"`(\w+)(?:\(\))?`", table))
    fields = {field.name for field in dataclasses.fields(fairlead.Result)}
    assert fields - told <= {"subject", "shortfall", "all_end"}  # they are told by `note` and in the JSON
