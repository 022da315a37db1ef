"""Tables, files, and the generated parts of the page."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench import report, run
from bench.cases import COUNTERS, FULL, QUICK, REACHABILITY, SPIN, SPIN_COLLAPSED, STRUCTURE, VIOLATED
from bench.measuring import Outcome, cut_off
from bench.ours import ALL, ONE, PLAIN, ROOT
from bench.report import Results, between_markers, from_json, load_note, to_json, to_markdown, write_docs
from bench.tables import aims_table, growth_rows, markdown, seconds, sections
from tests.support.bench.made_up import outcome, random_measurement, took


def random_results(chance: random.Random, share: float = 0.9) -> Results:
    outcomes = tuple(
        Outcome(
            case.name,
            case.part,
            case.system,
            case.size,
            case.kind,
            {one.label: random_measurement(chance) for one in case.entrants if chance.random() < share},
            ("went wrong",) if chance.random() < 0.1 else (),
        )
        for case in FULL
        if chance.random() < share
    )
    return Results("a machine", False, outcomes)


def test_results_are_read_back_as_they_were() -> None:
    chance = random.Random(1)
    for _ in range(20):
        results = random_results(chance)
        assert from_json(to_json(results)) == results


def test_tables_are_even_whatever_is_missing() -> None:
    chance = random.Random(2)
    for share in (1.0, 0.8, 0.4, 0.05):
        results = random_results(chance, share)
        tables = [text for _, text in sections(results.outcomes)] + [aims_table(results.judgements())]
        for text in tables:
            assert len({line.count("|") for line in text.splitlines()}) == 1
            assert "nan" not in text


def test_every_case_stands_in_a_table() -> None:
    results = random_results(random.Random(3), 1.0)
    text = to_markdown(results)
    for one in results.outcomes:
        named = {one.name, one.system, f"{one.system}({one.size})", one.size}
        assert any(f"| {name} |" in text for name in named), one.name
    assert text.count("went wrong") == sum(bool(one.problems) for one in results.outcomes)


def test_times_have_three_digits() -> None:
    assert [seconds(value) for value in (0.0123, 1.234, 12.34, 1234.5)] == ["0.012", "1.23", "12.3", "1,234"]


def test_markdown() -> None:
    assert markdown(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | ---: |\n| 1 | 2 |\n"


def row(part: str, one: Outcome, heading: str) -> list[str]:
    text = dict(sections([one]))[heading]
    return [cell.strip() for cell in text.splitlines()[2].strip("|").split("|")]


def test_row_of_a_structure() -> None:
    ours = took(0.5, states=200_000, transitions=1_000_000, total_bytes=8_000_000)
    theirs = took(2.0, states=400_000, transitions=2_000_000, total_bytes=20_000_000)
    plain = took(0.25, states=1_000)
    one = outcome(
        STRUCTURE,
        "fork9-structure",
        {SPIN: theirs, ONE.label: ours, ALL.label: cut_off(9.0), PLAIN.label: plain},
    )
    assert row(STRUCTURE, one, "Changing structure, all states") == [
        "fork9-structure", "200,000", "1,000,000", "2.00", "0.500", "> 9.00", "400,000", "2.00", "100", "40",
        "1,000", "0.250",
    ]  # fmt: skip


def test_row_of_all_states() -> None:
    one = outcome(REACHABILITY, "dp12-reach", {SPIN: took(8.0), ONE.label: took(2.0)})
    assert row(REACHABILITY, one, "All states") == [
        "dp12-reach", "1,000", "5,000", "8.00", "2.00", "–", "4.00", "–", "–", "4.00", "3.61",
    ]  # fmt: skip


def test_row_of_a_run_that_did_not_end() -> None:
    one = outcome(REACHABILITY, "dp12-reach", {SPIN: cut_off(900.0), ONE.label: took(3.0)})
    shown = row(REACHABILITY, one, "All states")
    assert (shown[1], shown[3], shown[6]) == ("1,000", "> 900", "> 300")


def test_row_of_memory_counts_states_of_the_system() -> None:
    theirs = took(1.0, states=4000, state_bytes=20_000, total_bytes=50_000)
    one = outcome(REACHABILITY, "dp12-reach", {SPIN_COLLAPSED: theirs, ONE.label: took(1.0)})
    shown = row(REACHABILITY, one, "Bytes for each state, all states")
    assert shown == ["dp12-reach", "1,000", "20", "50", "100", "–", "–", "64", "100", "–"]


def test_row_of_a_violation_has_whole_commands() -> None:
    measured = {SPIN: took(0.1, command_seconds=2.0), PLAIN.label: took(0.2, command_seconds=1.0)}
    shown = row(VIOLATED, outcome(VIOLATED, "dp12-eats-none", measured), "The property is violated")
    assert shown == ["dp12-eats-none", "1,000", "0.100", "2.00", "–", "1,000", "0.200", "1.00", "0.50", "–"]


def test_paper_and_growth_of_counters() -> None:
    small = Outcome("LE1000-paper", COUNTERS, "LE", "1000", "paper", {"pwf": took(0.01), "psf": took(0.02)})
    large = Outcome("LE10000-paper", COUNTERS, "LE", "10000", "paper", {"pwf": took(0.1)})
    tables = dict(sections([small, large]))
    assert (
        "| LE(1000) | – | holds 0.010 (2.26) | holds 0.020 (2.75) |"
        in tables["Process counters, compared with the seconds of FM 2009"]
    )
    assert list(growth_rows([small, large])) == [("LE(10,000) / LE(1,000)", "10.0", "–")]


def test_markers() -> None:
    page = "prose\n<!-- generated: a -->\nold\n<!-- end: a -->\nmore\n"
    new = between_markers(page, "a", "\nnew\n")
    assert new == "prose\n<!-- generated: a -->\n\nnew\n\n<!-- end: a -->\nmore\n"
    assert between_markers(new, "a", "new") == new
    with pytest.raises(ValueError, match="no place for b"):
        between_markers(page, "b", "")


def test_the_page_can_be_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text(report.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(report, "PAGE", page)
    monkeypatch.setattr(report, "PLOTS", tmp_path / "plots")
    results = random_results(random.Random(6), 1.0)
    write_docs(results)
    once = page.read_text(encoding="utf-8")
    write_docs(results)
    assert page.read_text(encoding="utf-8") == once and "a machine." in once
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    assert names == {path.name for path in (ROOT / "docs" / "plots").glob("growth-*")}
    assert all(f"](../plots/{name})" in once for name in names)


def test_load_is_told() -> None:
    assert load_note(0.1, 1.5, 2) == "nothing else running at the start"
    assert load_note(0.8, 1.5, 2) == "little else running (load 0.8 before, 1.5 after)"
    assert load_note(4.0, 3.0, 2) == "other work going on (load 4.0 before, 3.0 after)"


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--list", "--quick"]) == 0
    listed = capsys.readouterr().out
    assert all(case.name in listed for case in QUICK)
    assert run.main(["--case", "no-such-case"]) == 2
    assert "no such case: no-such-case" in capsys.readouterr().err
    fine = Results("a machine", True, (outcome(REACHABILITY, "dp12-reach", {ONE.label: took(1.0)}),))
    stored = tmp_path / "results.json"
    stored.write_text(to_json(fine), encoding="utf-8")
    assert run.main(["--from", str(stored)]) == 0
    assert "dp12-reach" in capsys.readouterr().out


def test_exit_code() -> None:
    large = {"states": 2_000_000}
    slow = outcome(REACHABILITY, "dp12-reach", {SPIN: took(1.0, **large), ONE.label: took(2.0, **large)})
    wrong = outcome(REACHABILITY, "dp5-reach", {}, problems=("states differ",))
    assert run.verdict(Results("", True, (slow,))) == 1
    assert run.verdict(Results("", False, (slow,))) == 0  # the full run tells, and only the short one fails
    assert run.verdict(Results("", False, (slow, wrong))) == 1
