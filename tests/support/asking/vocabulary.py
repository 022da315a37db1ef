"""Loads models as the languages give them, and asks what names in formulas about them mean."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fairlead.base.diagnostics import InputError
from fairlead.base.source import Source
from fairlead.lang.language import LoadedModel, Vocabulary
from fairlead.lang.registry import load_text
from fairlead.model.assertion import AtomText, EventAtom, Meaning, StepAtom
from fairlead.reduce.tools import ReducingTools


def loaded(text: str, language: str) -> LoadedModel:
    """A model given as text."""
    return load_text(text, "model", f".{language}", {}, (), ReducingTools)


def vocabulary(model: LoadedModel, process: str | None = None, texts: Sequence[str] = ()) -> Vocabulary:
    """The names in formulas about a process."""
    return model.vocabulary(model.branching(" && ".join(texts) or "true", process, False), texts)


def shown(meaning: Meaning) -> str:
    """Events and processes in short: `event a,b`, `process P(0)`."""
    if isinstance(meaning, EventAtom):
        return f"event {','.join(sorted(meaning.labels))}"
    assert isinstance(meaning, StepAtom)
    return f"process {','.join(sorted(meaning.processes))}"


def named(text: str) -> AtomText:
    """An atom as formulas have it, in quotes or not."""
    place = Source("formula", text).span(0, len(text))
    return AtomText(text.strip('"'), text.startswith('"'), False, place)


def complaint(names: Vocabulary, text: str) -> str:
    """What is said about a subject that is none, with its hint."""
    with pytest.raises(InputError) as caught:
        names.subject(text, Source("formula", text).span(0, len(text)))
    (problem,) = caught.value.diagnostics
    assert problem.span is not None and problem.span.text == text
    return f"{problem.code.value}: {problem.message}" + (f" ({problem.hint})" if problem.hint else "")
