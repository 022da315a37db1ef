"""`fairlead papers`: rows, files, exit statuses, and what happens when it is stopped."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fairlead import Verdict, papers
from fairlead.cli import papers as command
from fairlead.cli.main import run
from fairlead.papers import Outcome, Row

HOLDS, DIFFERS, WRONG, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 130
QUICK = ["--table", "pat2014-2", "--sizes", "3-4"]


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [row for table in json.loads(capsys.readouterr().out)["tables"] for row in table["rows"]]


# ---------------------------------------------------------------- rows


def test_rows_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", *QUICK]) == HOLDS
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pat2014-2: ")
    head = next(number for number, line in enumerate(lines) if line.startswith("system"))
    shown = [line.split() for line in lines[head + 1 : head + 3]]
    assert [cells[:2] for cells in shown] == [["peterson", "3"], ["peterson", "4"]]
    assert all(cells[-2:] == ["agrees", "[1]"] for cells in shown)
    assert "2 rows: “agrees” 2" in lines
    assert any(line.startswith("[1] Reconstructed. peterson: ") for line in lines)


def test_several_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["papers", "--table", "fctl1984", "--table", "ltsa1999", "--table", "fctl1984", "--json"])
        == HOLDS
    )
    data = json.loads(capsys.readouterr().out)
    assert [table["table"] for table in data["tables"]] == ["fctl1984", "ltsa1999"]
    found = [row for table in data["tables"] for row in table["rows"]]
    assert [row["system"] for row in found if row["compared"] == "differs, explained"] == [
        "mutual exclusion, Fig. 8"
    ]


def test_sizes_choose_rows_of_all_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", "--sizes", "3", "--json"]) == HOLDS
    found = rows(capsys)
    assert {row["size"] for row in found} == {"3"}
    assert {row["system"] for row in found} == {"LE_OR", "LE_R", "TC_R", "peterson", "KV"}


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", "--table", "ltsa1999", "--quiet"]) == HOLDS
    out = capsys.readouterr().out
    assert "published:" not in out and "[1] " not in out and "rows:" not in out


# ---------------------------------------------------------------- limits


def test_limits_of_one_row_do_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["papers", "--table", "pat2014-2", "--sizes", "3,10", "--max-states", "1000", "--json"]
    assert run(arguments) == UNKNOWN
    found = {(row["system"], row["fairness"]): row for row in rows(capsys)}
    assert found["dp", "sgf"]["verdict"] == "unknown (states)" == found["ms", "esf"]["verdict"]
    assert found["peterson", "pwf"]["compared"] == "agrees"


def test_time_of_one_row_does_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", "--table", "pat2014-2", "--sizes", "13,12", "--timeout", "0.001"]) == UNKNOWN
    out = capsys.readouterr().out
    assert "unknown (time)" in out
    assert [line.split()[0] for line in out.splitlines() if " esf " in line or " sgf " in line] == [
        "dp",
        "ms",
    ]


def test_the_usual_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    def remembering(row: Row, limits: Any, reporter: Any) -> Outcome:
        seen.append(limits.timeout)
        return papers.check_row(row, limits, reporter)

    monkeypatch.setattr(command, "check_row", remembering)
    assert run(["papers", *QUICK]) == HOLDS
    assert run(["papers", *QUICK, "--timeout", "7"]) == HOLDS
    assert seen == [60.0, 60.0, 7.0, 7.0]


# ---------------------------------------------------------------- exit statuses


def answers(monkeypatch: pytest.MonkeyPatch, *verdicts: Verdict) -> None:
    """Lets the next rows have these verdicts."""
    wanted = iter(verdicts)

    def made_up(row: Row, limits: Any, reporter: Any) -> Outcome:
        verdict = next(wanted)
        short_of = "time" if verdict is Verdict.UNKNOWN else None
        return replace(papers.check_row(row, limits, reporter), verdict=verdict, short_of=short_of)

    monkeypatch.setattr(command, "check_row", made_up)


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        ((Verdict.HOLDS, Verdict.HOLDS), HOLDS),
        ((Verdict.HOLDS, Verdict.VIOLATED), DIFFERS),
        ((Verdict.UNKNOWN, Verdict.VIOLATED), DIFFERS),
        ((Verdict.UNKNOWN, Verdict.HOLDS), UNKNOWN),
    ],
)
def test_exit_status(
    verdicts: tuple[Verdict, ...],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers(monkeypatch, *verdicts)
    assert run(["papers", *QUICK]) == status


# ---------------------------------------------------------------- files


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, sheet, chart = tmp_path / "papers.md", tmp_path / "papers.csv", tmp_path / "plots" / "papers.svg"
    chart.parent.mkdir()
    arguments = [*QUICK, "--markdown", str(page), "--csv", str(sheet), "--svg", str(chart)]
    assert run(["papers", *arguments]) == HOLDS
    assert "](plots/papers.svg)" in page.read_text(encoding="utf-8")
    with sheet.open(encoding="utf-8", newline="") as file:
        assert [line["size"] for line in csv.DictReader(file)] == ["3", "4"]
    assert ElementTree.parse(chart).getroot().tag.endswith("svg")


def test_json_is_all_on_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["papers", *QUICK, "--json", "--csv", str(tmp_path / "papers.csv")]) == HOLDS
    assert [row["size"] for row in rows(capsys)] == ["3", "4"]
    assert (tmp_path / "papers.csv").is_file()


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--table", "pat2013"], "pat2014-1"),
        (["--sizes", "six"], "error[usage]: --sizes six: expected sizes such as"),
        (["--sizes", "77"], "error[usage]: --sizes 77: no row has such a size"),
        (["--table", "ltsa1999", "--sizes", "3"], "one size each"),
        (["--csv", "missing/papers.csv"], "error[file]: cannot write 'missing/papers.csv': No such file"),
        (["--svg", "x", "--markdown", "./x"], "need one file each"),
        (["--timeout", "nan"], "--timeout"),
        (["--max-memory", "much"], "expected a size such as"),
        (["model.csp"], "model.csp"),
    ],
)
def test_bad_input(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    answers(monkeypatch)  # no row may be checked
    assert run(["papers", *arguments]) == WRONG
    out, err = capsys.readouterr()
    assert out == "" and message in err
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers(monkeypatch)
    assert run(["papers", "--csv", str(tmp_path)]) == WRONG
    monkeypatch.setattr(command.os, "access", lambda path, mode: False)
    assert run(["papers", "--csv", str(tmp_path / "papers.csv")]) == WRONG
    assert "Permission denied" in capsys.readouterr().err


# ---------------------------------------------------------------- Ctrl-C


def interrupt_after(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    left = iter(range(number))

    def check(row: Row, limits: Any, reporter: Any) -> Outcome:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return papers.check_row(row, limits, reporter)

    monkeypatch.setattr(command, "check_row", check)


def test_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt_after(monkeypatch, 16)  # fctl1984 has 14 rows
    names = ["--table", "fctl1984", "--table", "ltsa1999"]
    sheet = tmp_path / "papers.csv"
    page = tmp_path / "papers.md"
    assert run(["papers", *names, "--csv", str(sheet), "--markdown", str(page)]) == INTERRUPTED
    out, err = capsys.readouterr()
    assert "interrupted" in err and len([line for line in out.splitlines() if "SERVE" in line]) == 2
    with sheet.open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 16
    assert page.read_text(encoding="utf-8").count("progress SERVE_") == 2


def test_interrupted_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt_after(monkeypatch, 0)
    sheet = tmp_path / "papers.csv"
    sheet.write_text("what was there", encoding="utf-8")
    assert run(["papers", "--json", "--csv", str(sheet)]) == INTERRUPTED
    data = json.loads(capsys.readouterr().out)
    assert data["interrupted"] is True and data["tables"] == []
    assert sheet.read_text(encoding="utf-8") == "what was there"
