"""Answers as text and as files: what is written can be read back."""

from __future__ import annotations

import csv
import io
import json
import random
from xml.etree import ElementTree

from fairlead import Verdict
from fairlead.papers import Outcome
from fairlead.papers.chart import chart_of
from fairlead.papers.files import Answered, row_record, to_csv, to_json, to_markdown
from fairlead.papers.rows import Ending, Unbounded, size_text
from fairlead.papers.text import Lines, Notes, detail_lines, ending_text, summary
from fairlead.present.draw.plot import Guide, to_svg
from tests.support.papers.made_up_rows import answered, outcome, row, stated
from tests.support.papers.reading_pages import markdown_tables

ENDING = Ending(("a.req", "b.crash"), frozenset({"a.reply", "a.req"}))


def random_outcome(chance: random.Random) -> Outcome:
    published = chance.choice(
        [
            None,
            stated(chance.choice([True, False, None]), chance.choice(["4.7", "< 0.1", "> 671", "−"])),
            stated(False, states=chance.randint(1, 99), ending=ENDING),
        ]
    )
    made = row(
        published,
        system=chance.choice(["LE_C", "KV", "… with a turn"]),
        size=chance.choice([3, 10_000, Unbounded.ANY]),
        fairness=chance.choice(["none", "ewf", "psf", "sgf"]),
        reconstruction=chance.choice([None, 'Ours, with "quotes", commas and | signs.']),
        difference=chance.choice([None, "Because."]),
        remark=chance.choice([None, "A remark."]),
    )
    verdict = chance.choice(list(Verdict))
    return outcome(
        made,
        verdict,
        states=chance.randint(1, 10**7),
        seconds=10 ** chance.uniform(-5, 3),
        short_of="time" if verdict is Verdict.UNKNOWN else None,
        ending=chance.choice([None, ENDING]),
    )


def random_tables(seed: int) -> list[Answered]:
    chance = random.Random(seed)
    return [
        answered(*(random_outcome(chance) for _ in range(chance.randint(1, 9))), name=f"table-{number}")
        for number in range(chance.randint(1, 3))
    ]


def test_csv_is_read_back() -> None:
    for seed in range(100):
        tables = random_tables(seed)
        read = list(csv.DictReader(io.StringIO(to_csv(tables))))
        expected = [
            {"table": one.table.name, **row_record(outcome)} for one in tables for outcome in one.outcomes
        ]
        assert len(read) == len(expected)
        for line, known in zip(read, expected, strict=True):
            assert line == {name: "" if value is None else str(value) for name, value in known.items()}


def test_markdown_is_read_back() -> None:
    for seed in range(100):
        tables = random_tables(seed)
        found = markdown_tables(to_markdown(tables))
        assert len(found) == len(tables)
        for (heads, *lines), one in zip(found, tables, strict=True):
            assert len(lines) == len(one.outcomes)
            for cells, answer in zip(lines, one.outcomes, strict=True):
                line = dict(zip(heads, cells, strict=True))
                assert line["system"] == answer.row.system and line["property"] == f"`{answer.row.claim}`"
                assert line["size"] == size_text(answer.row.size)
                assert line["ours"].startswith(answer.verdict.value)
                assert float(line["seconds"]) == round(answer.seconds, 3)
                assert int(line["states"].replace(",", "")) == answer.states
                assert line["compared"] == answer.agreement.value
                assert len(line["notes"].split(", ")) == max(1, len(answer.row.notes))


def test_notes_are_numbered_in_the_order_of_the_rows() -> None:
    rows = [
        row(stated(), reconstruction="Ours."),
        row(stated(), reconstruction="Ours.", remark="A remark."),
        row(None),
        row(stated(), difference="Because.", remark="A remark."),
    ]
    notes = Notes(rows)
    assert list(notes.numbered) == [(1, "Reconstructed. Ours."), (2, "A remark."), (3, "Differs. Because.")]
    assert [notes.marks(one) for one in rows] == ["1", "1, 2", "", "3, 2"]


def test_every_note_stands_below_its_table() -> None:
    text = to_markdown([answered(outcome(row(stated(), reconstruction="Ours.", difference="Because.")))])
    assert "\n1. Reconstructed. Ours.\n2. Differs. Because.\n" in text


def test_the_page_says_where_the_picture_is() -> None:
    made = [answered(outcome(row(stated())))]
    assert "](plots/papers.svg)" in to_markdown(made, "plots/papers.svg")
    assert ".svg" not in to_markdown(made)


def test_json_is_json() -> None:
    tables = random_tables(7)
    data = json.loads(json.dumps(to_json(tables, interrupted=True)))
    assert data["interrupted"] is True and "interrupted" not in to_json(tables, interrupted=False)
    assert [table["table"] for table in data["tables"]] == [one.table.name for one in tables]
    assert [len(table["rows"]) for table in data["tables"]] == [len(one.outcomes) for one in tables]


def test_lines_are_aligned() -> None:
    for seed in range(100):
        for one in random_tables(seed):
            lines = Lines(one.table, one.rows)
            begins = {len(lines.line(answer)[0]) for answer in one.outcomes}
            assert begins == {lines.head.index("compared")}
            for answer in one.outcomes:
                before, compared, after = lines.line(answer)
                assert compared == answer.agreement.value
                marks = lines.columns.notes.marks(answer.row)
                assert after.strip() == (f"[{marks}]" if marks else "")
                assert before.startswith(answer.row.system)


def test_tables_of_one_size_have_no_column_for_it() -> None:
    one = answered(outcome(row(stated(), size=None)))
    assert "size" not in Lines(one.table, one.rows).head
    assert markdown_tables(to_markdown([one]))[0][0][:2] == ["system", "property"]


def test_how_progress_is_violated() -> None:
    assert ending_text(ENDING) == "a.req, b.crash → {a.reply, a.req}"
    shown = outcome(row(stated(False, ending=ENDING)), Verdict.VIOLATED, ending=ENDING)
    assert list(detail_lines(shown)) == [
        f"published: {ending_text(ENDING)}",
        f"ours:      {ending_text(ENDING)}",
    ]
    assert list(detail_lines(outcome(row(stated(False)), Verdict.VIOLATED, ending=ENDING))) == []


def test_summary() -> None:
    made = [outcome(row(stated())), outcome(row(stated(False))), outcome(row(None)), outcome(row(stated()))]
    assert summary(made) == "4 rows: “agrees” 2, “differs” 1, “not published” 1"


def test_points_of_the_chart() -> None:
    one = answered(
        outcome(row(stated(pat="4.7"), size=3), seconds=0.5),
        outcome(row(stated(pat="26.7"), size=4), seconds=1.5),
        outcome(row(stated(pat="< 0.1"), size=5), seconds=9.0),
        outcome(row(stated(pat="3.0"), size=6), Verdict.UNKNOWN, seconds=60.0, short_of="time"),
        outcome(row(stated(pat="3.0"), size=4, fairness="sgf"), seconds=0.0),
        outcome(row(None, system="silent")),
    )
    chart = chart_of([one])
    (panel,) = chart.panels
    assert panel.title == "sys (made-up)" and chart.guide is Guide.EQUAL
    weak, strongest = panel.lines
    assert chart.tools[weak.tool] == "weak" and weak.points == ((4.7, 0.5), (26.7, 1.5))
    assert chart.tools[strongest.tool] == "strong global" and strongest.points == ((3.0, 1e-4),)


def test_charts_are_well_formed() -> None:
    for seed in range(50):
        root = ElementTree.fromstring(to_svg(chart_of(random_tables(seed))))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert ElementTree.fromstring(to_svg(chart_of([]))) is not None
