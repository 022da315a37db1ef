"""The cache of parse tables: a copy that is damaged, forged or of somebody else is made again."""

from __future__ import annotations

import hashlib
import marshal
import random
from pathlib import Path

import pytest

from fairlead.lang.csp.tables import Tables, load_tables


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which the tables are, and a key of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    _loaded()
    (path,) = (tmp_path / "cache" / "fairlead").iterdir()
    return path


def _loaded() -> Tables:
    return load_tables.__wrapped__()


def _are_right(tables: Tables) -> bool:
    """Whether tables are as those in use; which state has which number differs each time they are made."""
    known = load_tables()
    same_rules = sorted(map(str, tables.rules)) == sorted(map(str, known.rules))
    return (
        same_rules
        and len(tables.actions) == len(known.actions)
        and tables.starts.keys() == known.starts.keys()
    )


def _is_made_anew(path: Path, data: bytes) -> bool:
    """Whether a file in the place of the copy is of no use, and is replaced."""
    path.write_bytes(data)
    assert _are_right(_loaded())
    return path.read_bytes() != data


def test_a_good_copy_is_used(cached: Path) -> None:
    assert not _is_made_anew(cached, cached.read_bytes())


def test_damaged_copies(cached: Path) -> None:
    whole, chance = cached.read_bytes(), random.Random(5)
    assert _is_made_anew(cached, b"")
    assert _is_made_anew(cached, whole[: len(whole) // 2])
    place = chance.randrange(len(whole))
    assert _is_made_anew(cached, whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])


def test_forged_copies(cached: Path) -> None:
    for payload in (cached.read_bytes()[32:], marshal.dumps(([], [], [], {}, {})), b"\xff" * 90):
        assert _is_made_anew(cached, hashlib.sha256(payload).digest() + payload)
        assert _is_made_anew(cached, hashlib.blake2b(payload, digest_size=32).digest() + payload)


def test_copies_of_another_user_are_not_found(
    cached: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cached.read_bytes()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert _are_right(_loaded())
    assert len(list(cached.parent.iterdir())) == 2 and cached.read_bytes() == before


def test_without_a_key_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "state").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert _are_right(_loaded())
    assert not (tmp_path / "cache").exists()
