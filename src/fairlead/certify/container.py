"""The file of a certificate: frames of compressed data (docs/reference/certificate.md).

A certificate is input like any other. Nothing in it is believed: sizes are bounded before anything is
unpacked, and whatever cannot be read is a `Rejected`.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from fairlead.base.allowance import tick
from fairlead.base.records import dataclass
from fairlead.model.canonical.numbers import NotCanonical, Reader, prefixed, unsigned

MAGIC = b"fairlead certificate 1\n"
#: the kinds of frames
HEADER, ENTRY, STATES, END = b"H", b"A", b"S", b"E"
#: how many bytes a frame may have, unpacked
_LARGEST = {HEADER: 1 << 20, ENTRY: 1 << 26, STATES: 1 << 22, END: 1 << 10}
#: a frame of states is closed when it has so many bytes
FRAME_BYTES = 1 << 18
_HEAD = 9


class Rejected(Exception):
    """The certificate proves nothing; the text says why."""


@dataclass(frozen=True)
class Frame:
    """Where the data of a frame are in the file, and how long they are, packed and unpacked."""

    kind: bytes
    offset: int
    packed: int
    raw: int


@dataclass(frozen=True)
class Listed:
    """The entry of one assertion: what is claimed, and the frames of its sections."""

    claim: dict[str, Any]
    sections: tuple[tuple[Frame, ...], ...]


def packed_frame(kind: bytes, data: bytes) -> bytes:
    """A frame, as it stands in the file."""
    small = zlib.compress(data, 9)
    return kind + len(small).to_bytes(4, "little") + len(data).to_bytes(4, "little") + small


def packed_json(kind: bytes, data: object) -> bytes:
    """A frame with JSON in it."""
    return packed_frame(kind, json.dumps(data, separators=(",", ":")).encode())


def packed_states(section: int, rows: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """The frames of a section: its states in ascending order of their encodings, each with its note."""
    out = bytearray((section,))
    before = b""
    for state, note in rows:
        tick()
        shared = _shared(before, state)
        out += unsigned(shared) + prefixed(state[shared:]) + prefixed(note)
        before = state
        if len(out) > FRAME_BYTES:
            yield packed_frame(STATES, bytes(out))
            out, before = bytearray((section,)), b""
    yield packed_frame(STATES, bytes(out))


def _shared(one: bytes, other: bytes) -> int:
    count = min(len(one), len(other))
    if one[:count] == other[:count]:
        return count
    low, high = 0, count  # they agree in `low` bytes, and not in `high`
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle)
    return low


# ---------------------------------------------------------------- reading


class Certificate:
    """A certificate in a file: the header and the entries, whose states are read when they are needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.header: dict[str, Any] = {}
        self.entries: list[Listed] = []
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise Rejected("the file is not a certificate of this version")
            self._read_all(file, path.stat().st_size)

    def _read_all(self, file: BinaryIO, size: int) -> None:
        frames = list(_frames(file, size))
        if len(frames) < 2 or frames[0].kind != HEADER or frames[-1].kind != END:
            raise Rejected("the file has no beginning or no end: it is not complete")
        self.header = _json(file, frames[0])
        claim: dict[str, Any] | None = None
        sections: dict[int, list[Frame]] = {}
        for place, frame in enumerate(frames[1:], 1):
            tick()
            if frame.kind == STATES and claim is not None:
                sections.setdefault(_unpacked(file, frame)[0], []).append(frame)
            elif frame.kind == (END if place == len(frames) - 1 else ENTRY):
                if claim is not None:
                    count = max(sections, default=-1) + 1
                    listed = tuple(tuple(sections.get(number, ())) for number in range(count))
                    self.entries.append(Listed(claim, listed))
                claim, sections = (_json(file, frame) if frame.kind == ENTRY else None), {}
            else:
                raise Rejected("the parts of the file are in a wrong order")
        if _json(file, frames[-1]) != {"entries": len(self.entries)}:
            raise Rejected("the file has lost or gained assertions")

    def rows(self, frame: Frame) -> Iterator[tuple[bytes, bytes]]:
        """The states in a frame, with their notes."""
        with self._path.open("rb") as file:
            data = _unpacked(file, frame)
        reader, before = Reader(data), b""
        try:
            reader.byte()
            while not reader.is_at_end:
                tick()
                shared = reader.unsigned()
                if shared > len(before):
                    raise Rejected("a state begins as no state before it does")
                state = before[:shared] + reader.prefixed()
                if state <= before:
                    raise Rejected("the states are not in ascending order")
                yield state, reader.prefixed()
                before = state
        except NotCanonical as problem:
            raise Rejected(f"a list of states cannot be read: {problem}") from None


def _frames(file: BinaryIO, size: int) -> Iterator[Frame]:
    at = len(MAGIC)
    while at < size:
        tick()
        file.seek(at)
        head = file.read(_HEAD)
        kind = head[:1]
        packed, raw = int.from_bytes(head[1:5], "little"), int.from_bytes(head[5:9], "little")
        if len(head) < _HEAD or kind not in _LARGEST or at + _HEAD + packed > size:
            raise Rejected("the file is damaged, or has been cut off")
        if raw > _LARGEST[kind]:
            raise Rejected("a part of the file is larger than any can be")
        yield Frame(kind, at + _HEAD, packed, raw)
        at += _HEAD + packed


def _unpacked(file: BinaryIO, frame: Frame) -> bytes:
    file.seek(frame.offset)
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(file.read(frame.packed), frame.raw + 1)
    except zlib.error:
        raise Rejected("a part of the file cannot be unpacked") from None
    if len(data) != frame.raw or not data or not unpacker.eof or unpacker.unused_data:
        raise Rejected("a part of the file is not as long as it says")
    return data


def _json(file: BinaryIO, frame: Frame) -> dict[str, Any]:
    try:
        found = json.loads(_unpacked(file, frame))
    except (ValueError, RecursionError):
        raise Rejected("a part of the file is not JSON") from None
    if not isinstance(found, dict):
        raise Rejected("a part of the file is not a JSON object")
    return found


# ---------------------------------------------------------------- what JSON must be like


def number_in(value: object, most: int = 1 << 62) -> int:
    """A number from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise Rejected(f"{str(value)[:40]!r} stands where a number should")
    return value


def list_in(value: object) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise Rejected(f"{str(value)[:40]!r} stands where a list should")
    return value


def text_in(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Rejected(f"{str(value)[:40]!r} stands where a text should")
    return value
