"""A short fuzzing run of every reader, the same each time, and all seeds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.support.fuzz.mutate import minimised, mutated_json
from tests.support.fuzz.outcomes import Outcome, judged
from tests.support.fuzz.readers import CORPUS, READERS
from tests.support.sampling import is_sample

#: how many damaged inputs each reader gets here
INPUTS = 40
FEW_INPUTS = 5


@pytest.mark.sampled
@pytest.mark.parametrize("name", READERS)
def test_damaged_inputs(name: str, tmp_path: Path) -> None:
    """Whatever is read is read or refused."""
    reader, random = READERS[name], Random(name)
    corpus = list(reader.seeds())
    for number in range(FEW_INPUTS if is_sample() else INPUTS):
        data = reader.next(corpus, random)
        verdict = judged(lambda data=data: reader.read(data, tmp_path))
        assert not verdict.outcome.is_find, f"{name}, input {number}: {data[:2000]!r}\n{verdict.story}"


@pytest.mark.parametrize("file", sorted(CORPUS.glob("*-*")), ids=lambda file: file.name)
def test_seeds(file: Path, tmp_path: Path) -> None:
    """Those that were finds are read or refused now."""
    reader = READERS[file.name.partition("-")[0]]
    verdict = judged(lambda: reader.read(file.read_bytes(), tmp_path))
    assert not verdict.outcome.is_find, verdict.story


def test_what_is_made_is_read(tmp_path: Path) -> None:
    """The generators make inputs that are mostly well-formed, or nothing behind the parser is reached."""
    for reader in READERS.values():
        made = [reader.make(Random(seed)) for seed in range(3)]
        outcomes = [
            judged(lambda data=data, reader=reader: reader.read(data, tmp_path)).outcome for data in made
        ]
        assert Outcome.READ in outcomes, reader.name


def test_a_find_is_noticed_and_minimised() -> None:
    def fails(data: bytes) -> bool:
        return judged(lambda: [][0] if b"x" in data else None).outcome is Outcome.EXCEPTION

    assert minimised(b"abcxdef", fails) == b"x"


def test_damaged_documents_are_documents() -> None:
    random = Random(1)
    seed = b'{"a": [1, {"b": null}], "c": "d"}'
    assert len({mutated_json(seed, random) for _ in range(50)}) > 20
    assert mutated_json(b"not JSON", random) == b"not JSON"
