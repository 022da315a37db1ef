"""Checkpoints taken apart, altered, and put together again with checksum and signature that are right."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairlead.base.user_key import user_key

_MAGIC = b"fairlead checkpoint 4\n"
_WORD = (1 << 64) - 1
_PIECE = 1 << 20

#: in the place of anything in the JSON
OTHERS: tuple[Any, ...] = (
    None,
    True,
    "x",
    "\ud800",
    1.5,
    [],
    {},
    [[]],
    -1,
    0,
    1,
    2**31,
    2**32 - 1,
    2**32,
    10**30,
)
#: in the place of eight bytes of the states
WORDS = (0, 1, 2, 0xFF, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 63, _WORD, _WORD - 1)


@dataclass(frozen=True)
class Parts:
    """What a checkpoint consists of, without sums."""

    facts: Any
    states: bytes

    @staticmethod
    def of(path: Path) -> Parts:
        """The parts of a file."""
        magic, _, _, length, rest = path.read_bytes().split(b"\n", 4)
        assert magic + b"\n" == _MAGIC
        size = int(length)
        return Parts(json.loads(rest[:size]), rest[size:-8])

    def write(self, path: Path, text: bytes | None = None) -> None:
        """Writes them with the right sums; `text` in the place of the JSON of the facts."""
        text = json.dumps(self.facts, separators=(",", ":")).encode() if text is None else text
        key = user_key()
        mark = hmac.new(key, b"fairlead checkpoint key", hashlib.sha256).hexdigest()[:16].encode()
        length = b"%020d" % len(text)
        content = text + self.states + struct.pack("<Q", checksum(self.states))
        signed = _MAGIC + mark + b"\n" + length + b"\n" + content
        signature = hmac.new(key, signed, hashlib.sha256).hexdigest().encode()
        path.write_bytes(_MAGIC + b"\n".join((mark, signature, length, content)))

    # ------------------------------------------------------------ alterations

    def with_facts(self, place: tuple[Any, ...], other: Any) -> Parts:
        """The same with something else at a place of the facts."""
        facts = json.loads(json.dumps(self.facts))
        if not place:
            return replace(self, facts=other)
        inner = facts
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = other
        return replace(self, facts=facts)

    def places(self) -> list[tuple[Any, ...]]:
        """All places in the facts."""
        return list(_places(self.facts, ()))

    def at(self, place: tuple[Any, ...]) -> Any:
        """What is at a place of the facts."""
        found = self.facts
        for step in place:
            found = found[step]
        return found

    def altered_facts(self, chance: random.Random) -> Parts:
        """Something else somewhere in the facts: of another type, near, far, left out or repeated."""
        place = chance.choice(self.places())
        before = self.at(place)
        others = [*OTHERS]
        if type(before) is int:
            others += [before + 1, before - 1, before + 2, before * 2, -before] * 3
        if isinstance(before, list) and before:
            others += [before[:-1], before[1:], [*before, before[-1]], before[::-1], [before], before * 9] * 3
        if isinstance(before, str):
            others += [before[:-1], before + "0", before[::-1]] * 3
        return self.with_facts(place, chance.choice(others))

    def altered_states(self, chance: random.Random) -> Parts:
        """Some bytes of the states altered, mostly of their beginning, where the sizes are."""
        found = bytearray(self.states)
        at = chance.randrange(len(found) if chance.random() < 0.5 else min(len(found), 400))
        match chance.randrange(4):
            case 0:
                found[at] ^= 1 << chance.randrange(8)
            case 1:
                at &= ~7
                found[at : at + 8] = struct.pack("<Q", chance.choice(WORDS))
            case 2:
                at &= ~3
                found[at : at + 4] = struct.pack("<I", chance.choice(WORDS) & 0xFFFFFFFF)
            case _:
                del found[at : at + chance.choice((1, 4, 8, 100))]
        return replace(self, states=bytes(found))


def checksum(data: bytes) -> int:
    """The checksum of the engine (native/explore/checkpoint.cpp)."""
    total, at = 0, 0
    while True:
        piece = data[at : at + _PIECE]
        total = _mix(total ^ len(piece), 0x9E3779B97F4A7C15)
        for start in range(0, len(piece), 8):
            word = int.from_bytes(piece[start : start + 8], "little")
            total = (_mix(total ^ word, 0xD6E8FEB86659FD93) + word) & _WORD
        at += len(piece)
        if len(piece) < _PIECE:
            return total


def _mix(one: int, other: int) -> int:
    product = one * other
    return (product & _WORD) ^ (product >> 64)


def _places(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield place
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*place, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _places(item, (*place, number))
