"""Certificates are input: whatever is wrong with a file is a rejection with a reason."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

import fairlead
from fairlead.certify.container import (
    END,
    ENTRY,
    HEADER,
    MAGIC,
    STATES,
    Certificate,
    Rejected,
    packed_frame,
    packed_json,
    packed_states,
)
from fairlead.certify.program import main
from fairlead.model.canonical.numbers import prefixed, unsigned
from tests.support.forging.certificates import Parts, altered

MODEL = "var x = 0;\nP() = a{x = 1 - x;} -> P();\n#assert P() |= []<> a;\n#assert P() deadlockfree;\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A model and its certificate."""
    model, certificate = tmp_path / "model.csp", tmp_path / "certificate"
    model.write_text(MODEL)
    assert fairlead.load(model).check_all(certificate=certificate)
    return model, certificate


def rejected(data: bytes, tmp_path: Path) -> str:
    path = tmp_path / "damaged"
    path.write_bytes(data)
    with pytest.raises(Rejected) as problem:
        found = Certificate(path)
        for listed in found.entries:
            for frames in listed.sections:
                for frame in frames:
                    list(found.rows(frame))
    return str(problem.value)


def test_states_are_read_as_they_were_written(tmp_path: Path) -> None:
    chance = random.Random(1)
    rows = sorted(
        {chance.randbytes(chance.randint(1, 40)): chance.randbytes(3) for _ in range(20_000)}.items()
    )
    path = tmp_path / "file"
    packed = b"".join(packed_states(0, rows))
    path.write_bytes(
        MAGIC + packed_json(HEADER, {}) + packed_json(ENTRY, {}) + packed + packed_json(END, {"entries": 1})
    )
    found = Certificate(path)
    ((frames,),) = [listed.sections for listed in found.entries]
    assert len(frames) > 1
    assert [row for frame in frames for row in found.rows(frame)] == rows


def test_every_cut_is_noticed(files: tuple[Path, Path], tmp_path: Path) -> None:
    data = files[1].read_bytes()
    for length in range(len(data)):
        rejected(data[:length], tmp_path)


def test_more_is_noticed(files: tuple[Path, Path], tmp_path: Path) -> None:
    data = files[1].read_bytes()
    for more in (b"\0", MAGIC, packed_json(END, {"entries": 2})):
        rejected(data + more, tmp_path)


def test_damaged_bytes_are_rejected_without_a_traceback(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, certificate = files
    data, chance = certificate.read_bytes(), random.Random(2)
    path = tmp_path / "damaged"
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if damaged != data:
            path.write_bytes(damaged)
            assert main([str(model), str(path)]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_altered_data_never_end_in_a_traceback(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, certificate = files
    parts, chance = Parts.read(certificate), random.Random(3)
    path = tmp_path / "altered"
    statuses = set()
    for _ in range(200):
        altered(parts, chance).write(path)
        statuses.add(main([str(model), str(path)]))
    assert statuses <= {0, 1} and 1 in statuses  # what is altered may still be true
    assert "Traceback" not in capsys.readouterr().err


def test_nothing_is_unpacked_beyond_its_stated_size(tmp_path: Path) -> None:
    bomb = zlib.compress(bytes(1 << 28))
    head = STATES + len(bomb).to_bytes(4, "little")
    begin = MAGIC + packed_json(HEADER, {}) + packed_json(ENTRY, {})
    end = packed_json(END, {"entries": 1})
    for stated in (1, 1 << 20, 1 << 22):
        assert "as long as it says" in rejected(
            begin + head + stated.to_bytes(4, "little") + bomb + end, tmp_path
        )
    assert "larger" in rejected(begin + head + (1 << 28).to_bytes(4, "little") + bomb + end, tmp_path)


def row(shared: int, state: bytes) -> bytes:
    return unsigned(shared) + prefixed(state) + prefixed(b"")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            unsigned(0) + prefixed(b"b") + prefixed(b"") + unsigned(0) + prefixed(b"a") + prefixed(b""),
            "order",
        ),
        (
            unsigned(0) + prefixed(b"b") + prefixed(b"") + unsigned(0) + prefixed(b"b") + prefixed(b""),
            "order",
        ),
        (unsigned(3) + prefixed(b"b") + prefixed(b""), "begins"),
        (unsigned(0) + unsigned(1 << 60) + b"b", "too early"),
        (b"\xff" * 30, "too large"),
    ],
)
def test_lists_of_states(rows: bytes, reason: str, tmp_path: Path) -> None:
    data = MAGIC + packed_json(HEADER, {}) + packed_json(ENTRY, {}) + packed_frame(STATES, b"\0" + rows)
    assert reason in rejected(data + packed_json(END, {"entries": 1}), tmp_path)


def test_deep_json(tmp_path: Path) -> None:
    for text in (b"[" * 100_000, b'{"a":' * 50_000, b"1" * 5000, b"[]", b"\xff"):
        assert "JSON" in rejected(
            MAGIC + packed_frame(HEADER, text) + packed_json(END, {"entries": 0}), tmp_path
        )
