"""Damages texts: bytes, tokens, lines, and values inside JSON documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

#: no input grows beyond this many bytes
MOST_BYTES = 20_000
_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+|\s+|->|\|\||&&|<>|\[\]|[<>=!]=|\.\.|\|=|\|\|\||.", re.DOTALL)
_NUMBERS = (b"0", b"1", b"-1", b"2147483647", b"-2147483648", b"9" * 20, b"9" * 5000, b"1e9", b"0x7f", b"00")
_ODD_BYTES = (
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    "τ".encode(),
    "𝒳".encode(),
    b"\r",
    b"\t",
    b'"',
    b"\\",
    b"\x1b[2J",
)
#: what a value in a document is replaced by
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**30, 1.5, -0.0, 1e308, "", "a", "τ", "\0",
    "a" * 300, [], {}, [[]], [None], [0, 0], {"a": 1}, "System()", "__class__", "../x",
)  # fmt: skip

Words = Sequence[bytes]


def mutated(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    """The bytes with one to four changes; `others` give parts to splice in."""
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        data = random.choice(_WAYS)(data, others, words, random)
    return data[:MOST_BYTES]


def _flip(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    if not data:
        return b"\0"
    at = random.randrange(len(data))
    return data[:at] + bytes((data[at] ^ (1 << random.randrange(8)),)) + data[at + 1 :]


def _odd_byte(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(_ODD_BYTES) + data[at:]


def _without_part(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    start = random.randint(0, len(data))
    return data[:start] + data[start + random.choice((1, 2, 8, 64)) :]


def _cut(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _crossed(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    other = random.choice(others)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _lines(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    """A line of another text, or of this one, somewhere in this one."""
    lines = data.split(b"\n")
    lines.insert(random.randint(0, len(lines)), random.choice(random.choice([*others, data]).split(b"\n")))
    return b"\n".join(lines)


def _tokens(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    """Tokens replaced, repeated, swapped, left out, or taken from another text."""
    tokens = _TOKEN.findall(data) or [b" "]
    at = random.randrange(len(tokens))
    match random.randrange(6):
        case 0:
            tokens[at] = random.choice(words)
        case 1:
            tokens.insert(at, random.choice(words))
        case 2:
            del tokens[at : at + random.choice((1, 1, 2, 5))]
        case 3:
            other = _TOKEN.findall(random.choice(others)) or [b" "]
            start = random.randrange(len(other))
            tokens[at:at] = other[start : start + random.choice((1, 3, 10, 30))]
        case 4:
            end = at + random.choice((1, 2, 5, 20))
            tokens[end:end] = tokens[at:end] * random.choice((1, 1, 2, 20))
        case _:
            same = [i for i, token in enumerate(tokens) if token[:1].isalnum()]
            if len(same) > 1:
                one, other_place = random.sample(same, 2)
                tokens[one], tokens[other_place] = tokens[other_place], tokens[one]
    return b"".join(tokens)


def _number(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    places = list(re.finditer(rb"\d+", data))
    if not places:
        return data + random.choice(_NUMBERS)
    place = random.choice(places)
    return data[: place.start()] + random.choice(_NUMBERS) + data[place.end() :]


def _nested(data: bytes, others: Sequence[bytes], words: Words, random: Random) -> bytes:
    """A part in many brackets, or many brackets that are not closed."""
    opening, closing = random.choice([(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"!", b""), (b"X ", b"")])
    start = random.randint(0, len(data))
    end = random.randint(start, min(len(data), start + 40))
    times = random.choice((1, 2, 30, 400))
    after = closing * times if random.random() < 0.8 else b""
    return data[:start] + opening * times + data[start:end] + after + data[end:]


_WAYS = (
    _flip,
    _odd_byte,
    _without_part,
    _cut,
    _crossed,
    _lines,
    _tokens,
    _tokens,
    _tokens,
    _tokens,
    _number,
    _nested,
)


def mutated_json(data: bytes, random: Random, keys: Sequence[str] = ()) -> bytes:
    """A JSON document with values replaced, left out, repeated or exchanged; other bytes stay as they are."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    holder = [document]
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        places = _places(holder)
        container, key = random.choice(places)
        match random.randrange(5):
            case 0 | 1:
                container[key] = _odd_value(random)
            case 2:
                other, other_key = random.choice(places)
                container[key] = deepcopy(other[other_key])
            case 3 if container is not holder:
                del container[key]
            case _ if isinstance(container, list):
                container.insert(key, _odd_value(random))
            case _:
                container[random.choice(keys) if keys else "a"] = _odd_value(random)
    return json.dumps(holder[0]).encode()


def _odd_value(random: Random) -> Any:
    return deepcopy(random.choice(_ODD_VALUES))  # documents are changed in place


def _places(holder: list[Any]) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    stack: list[Any] = [holder]
    while stack and len(found) < 5000:
        container = stack.pop()
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        found += ((container, key) for key in keys)
        stack += (container[key] for key in keys if isinstance(container[key], (dict, list)))
    return found


def minimised(data: bytes, fails: Callable[[bytes], bool], most: int = 400) -> bytes:
    """A shorter input that fails as well, by leaving out parts of halving sizes; `most` executions."""
    size, tries = max(1, len(data) // 2), 0
    while size and tries < most:
        start, shorter = 0, False
        while start < len(data) and tries < most:
            candidate = data[:start] + data[start + size :]
            tries += 1
            if fails(candidate):
                data, shorter = candidate, True
            else:
                start += size
        if not shorter or size > len(data):
            size //= 2
    return data
