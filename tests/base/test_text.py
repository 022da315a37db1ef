"""Files in any encoding and with any line ends."""

from __future__ import annotations

import codecs
import random
from contextlib import suppress
from pathlib import Path

import pytest

import fairlead
from fairlead.base.diagnostics import Code, FairleadError, InputError
from fairlead.base.files import read_text

MODEL = "// Größe: 3 µ\nvar x = 0;\nP() = a{x = 1} -> Skip;\n#assert P() reaches x == 1;\n"


@pytest.mark.parametrize(
    "data",
    [
        MODEL.encode("utf-8"),
        MODEL.encode("utf-8-sig"),
        MODEL.encode("latin-1"),
        MODEL.encode("utf-16"),
        codecs.BOM_UTF16_BE + MODEL.encode("utf-16-be"),
        MODEL.encode("utf-16-le"),
        MODEL.encode("utf-16-be"),
    ],
    ids=["utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-16-be-bom", "utf-16-le", "utf-16-be"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_encodings_and_line_ends(tmp_path: Path, data: bytes, end: str) -> None:
    order = "ascii"
    if b"\0" in data:
        order = "utf-16-be" if data[0] in (0, codecs.BOM_UTF16_BE[0]) else "utf-16-le"
    path = tmp_path / "model.csp"
    path.write_bytes(data.replace("\n".encode(order), end.encode(order)))
    assert read_text(path) == MODEL


def test_a_comment_in_an_unknown_encoding_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "model.csp"
    path.write_bytes(MODEL.replace("Größe: 3 µ", "模型 /* 一").encode("gbk"))
    model = fairlead.load(path)
    assert [assertion.text for assertion in model.assertions] == ["P() reaches x == 1"]


@pytest.mark.parametrize("data", [b"P = a\0 -> P;", b"PK\x03\x04" + bytes(range(256)), bytes(10)])
def test_what_is_no_text(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "model.csp"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        fairlead.load(path)
    (found,) = caught.value.diagnostics
    assert found.code is Code.FILE and "not a text" in found.message


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "model.csp"
    for _ in range(10):
        data = bytearray(MODEL.encode(chance.choice(("utf-8", "latin-1", "utf-16"))))
        for _ in range(chance.randrange(30)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data[: chance.randrange(len(data))] if chance.random() < 0.3 else data)
        with suppress(FairleadError):
            fairlead.load(path)


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "model.csp"
    path.write_bytes(b"")
    assert fairlead.load(path).assertions == ()


@pytest.mark.parametrize(
    "transition", ['[0, "\\ud800", 0, ["P"]]', '[0, "a", 0, ["\\uDC00"]]', '[0, "\\ud83d", 0, []]']
)
def test_half_a_character_in_json(transition: str) -> None:
    with pytest.raises(fairlead.InputError, match="half a character"):
        fairlead.loads(f'{{"states": 1, "initial": 0, "transitions": [{transition}]}}', "json")


def test_a_whole_character_in_escapes() -> None:
    text = '{"states": 1, "initial": 0, "transitions": [[0, "\\ud83d\\ude00", 0, ["P"]]]}'
    assert fairlead.loads(text, "json").check('|= []<> "\U0001f600"')
