"""Numbers that tests change: for a block, for all threads, for forked processes, and never for longer."""

from __future__ import annotations

import multiprocessing
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import pytest

from fairlead.base.tuning import Tuning, tuned, tuning
from tests.support.places import ROOT

SOURCES = ROOT / "src" / "fairlead"


def test_a_block_has_its_own_numbers() -> None:
    before = tuning()
    with tuned(small_system=5, most_kept=7) as inside:
        assert tuning() is inside
        assert (inside.small_system, inside.most_kept, inside.least_work) == (5, 7, before.least_work)
        with tuned(small_system=6):
            assert (tuning().small_system, tuning().most_kept) == (6, 7)
        assert tuning() is inside
    assert tuning() is before


def test_numbers_are_restored_after_an_error() -> None:
    before = tuning()
    with pytest.raises(ZeroDivisionError), tuned(competitors=1):
        raise ZeroDivisionError
    assert tuning() is before


def test_names_that_there_are_not() -> None:
    before = tuning()
    with pytest.raises(TypeError, match="smallsystem"), tuned(smallsystem=5):
        pass
    assert tuning() is before


def test_threads_see_them() -> None:
    with tuned(least_work=3), ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: tuning().least_work).result() == 3


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="processes cannot be forked"
)
def test_forked_processes_see_them() -> None:
    forking = multiprocessing.get_context("fork")
    receiving, sending = forking.Pipe(duplex=False)
    with tuned(least_work=3):
        process = forking.Process(target=lambda: sending.send(tuning().least_work))
        process.start()
    assert receiving.recv() == 3
    process.join()


@pytest.mark.skipif(not SOURCES.is_dir(), reason="there are no sources")
def test_every_number_is_used() -> None:
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py") if path.name != "tuning.py")
    used = set(re.findall(r"\btuning(?:\(\))?\.(\w+)", "\n".join(texts)))
    assert used >= {field.name for field in fields(Tuning)}
