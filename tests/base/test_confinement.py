"""Files that may be read, and others that may not, whatever links do meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairlead.base.diagnostics import InputError
from fairlead.base.files import Confinement, confined, is_there, overlaid, read_text, read_utf8


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a file, and a file outside."""
    folder, outside = tmp_path.resolve() / "folder", tmp_path.resolve() / "outside.csp"
    folder.mkdir()
    (folder / "inside.csp").write_text("inside")
    outside.write_text("outside")
    return folder, outside


def test_what_is_inside_is_read(places: tuple[Path, Path]) -> None:
    folder, _ = places
    with confined(Confinement(folder)):
        assert read_text(folder / "inside.csp") == read_utf8(folder / "inside.csp") == "inside"
        assert is_there(folder / "inside.csp")


def test_what_is_outside_is_not_read(places: tuple[Path, Path]) -> None:
    folder, outside = places
    (folder / "link.csp").symlink_to(outside)
    (folder / "hard.fifo").symlink_to("/dev/zero")
    with confined(Confinement(folder)):
        for path in (outside, folder / "link.csp", folder / ".." / "outside.csp", folder / "hard.fifo"):
            for read in (read_text, read_utf8):
                with pytest.raises(InputError, match="is not a file in the folder that may be read"):
                    read(path)
            assert not is_there(path)
    assert read_text(outside) == "outside"


def test_files_can_be_allowed_besides(places: tuple[Path, Path]) -> None:
    folder, outside = places
    with confined(Confinement(folder, frozenset((outside,)))):
        assert read_text(outside) == "outside"


def test_texts_that_stand_for_files_are_no_files(places: tuple[Path, Path]) -> None:
    folder, outside = places
    with confined(Confinement(folder)), overlaid({outside: "given"}):
        assert read_text(outside) == "given"


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_link_that_is_exchanged_while_it_is_opened(
    places: tuple[Path, Path], moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, outside = places
    link = folder / "link.csp"
    link.symlink_to(folder / "inside.csp")
    opened = os.open

    def lead(to: Path) -> None:
        link.unlink()
        link.symlink_to(to)

    def exchange(path: Path, flags: int) -> int:
        lead(outside)
        descriptor = opened(path, flags)
        if moment == "before":  # and back again, so that it looks as it did
            lead(folder / "inside.csp")
        return descriptor

    monkeypatch.setattr(os, "open", exchange)
    with confined(Confinement(folder)), pytest.raises(InputError, match="may be read"):
        read_text(link)
