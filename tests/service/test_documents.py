"""Documents, their positions and their changes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from fairlead.base.diagnostics import Code
from fairlead.outcome.limits import Limits
from fairlead.service.diagnostics import Superseded, problems
from fairlead.service.documents import Change, Workspace
from fairlead.service.positions import Lines, Position, Range, Units

TEXT = "aé\U0001f600b\n\nxyz"


@pytest.mark.parametrize(
    ("units", "places"),
    [
        (Units.CODE_POINTS, [0, 1, 2, 3, 4]),
        (Units.UTF16, [0, 1, 2, 4, 5]),
        (Units.UTF8, [0, 1, 3, 7, 8]),
    ],
)
def test_characters_are_counted_as_the_editor_does(units: Units, places: list[int]) -> None:
    lines = Lines(TEXT, units)
    assert [lines.position(offset).character for offset in range(5)] == places
    assert [lines.offset(Position(0, character)) for character in places] == list(range(5))


def test_positions_beyond_the_end_are_the_end() -> None:
    lines = Lines(TEXT)
    assert lines.offset(Position(0, 99)) == 4
    assert lines.offset(Position(1, 7)) == 5
    assert lines.offset(Position(99, 0)) == len(TEXT)
    assert lines.offset(Position(-1, 0)) == 0
    assert lines.position(999) == Position(2, 3)


def test_every_offset_has_a_position_and_back() -> None:
    for units in Units:
        lines = Lines(TEXT, units)
        assert [lines.offset(lines.position(offset)) for offset in range(len(TEXT) + 1)] == list(
            range(len(TEXT) + 1)
        )


def test_changes_are_made_one_after_the_other(tmp_path: Path) -> None:
    workspace = Workspace()
    path = tmp_path / "m.csp"
    workspace.open(path, "P() = a -> P();\n", 1)
    first = Change("Q", Range(Position(0, 0), Position(0, 1)))
    second = Change("\r\n", Range(Position(0, 15), Position(0, 15)))
    document = workspace.change(path, [first, second], 2)
    assert (document.text, document.version) == ("Q() = a -> P();\n\n", 2)
    assert workspace.change(path, [Change("Stop")], 3).text == "Stop"


def test_an_open_document_stands_for_its_file(tmp_path: Path) -> None:
    path = tmp_path / "m.csp"
    path.write_text("on disk")
    workspace = Workspace()
    opened = workspace.open(path, "not saved")
    assert workspace.document(path) == opened
    workspace.close(path)
    on_disk = workspace.document(path)
    assert on_disk is not None and on_disk.text == "on disk"
    assert workspace.document(tmp_path / "none.csp") is None


def test_files_that_include_each_other_are_read_once(tmp_path: Path) -> None:
    workspace = Workspace()
    one = workspace.open(tmp_path / "one.csp", '#include "two.csp";\nvar x;')
    two = workspace.open(tmp_path / "two.csp", '#include "one.csp";\nvar y;')
    assert workspace.included(one) == (two,)
    assert set(workspace.family(two)) == {one, two}


def test_what_lies_outside_of_the_folder_is_not_included(tmp_path: Path) -> None:
    (tmp_path / "secret.csp").write_text("var secret;")
    (tmp_path / "in").mkdir()
    workspace = Workspace()
    document = workspace.open(tmp_path / "in" / "m.csp", '#include "../secret.csp";\n')
    assert workspace.included(document) == ()


def test_a_file_that_changes_on_disk_changes_the_answer(tmp_path: Path) -> None:
    workspace = Workspace()
    (tmp_path / "g.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    document = workspace.open(tmp_path / "m.lts", 'import G = "g.aut"\n||S = G.\n')
    assert problems(workspace, document) == ()
    (tmp_path / "g.aut").write_text("des (0, 1, 2)\n(0 a 1)\n")
    assert [problem.code.value for problem in problems(workspace, document)] == ["graph"]
    assert problems(workspace, document) == problems(Workspace(), document)


def test_an_interruption_ends_the_search_for_problems_and_leaves_nothing_behind(tmp_path: Path) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.lts", "A = A[0], A[i:0..900000] = (a[i] -> A[i]).\n")
    interruption = threading.Event()
    threading.Timer(0.2, interruption.set).start()
    with pytest.raises(Superseded):
        problems(workspace, document, interruption=interruption)
    (problem,) = problems(workspace, document, Limits(timeout=0.2))
    assert problem.code is Code.LIMIT


def test_a_snapshot_keeps_the_documents_as_they_were(tmp_path: Path) -> None:
    workspace = Workspace()
    workspace.open(tmp_path / "m.csp", "P() = a -> P();\n")
    before = workspace.snapshot()
    workspace.change(tmp_path / "m.csp", [Change("Q() = b -> Q();\n")], 2)
    document = before.document(tmp_path / "m.csp")
    assert document is not None and document.text.startswith("P()")
