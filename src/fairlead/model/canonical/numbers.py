"""Encodes numbers and texts as bytes, and reads them again from bytes that may be anything."""

from __future__ import annotations

#: no number has more bytes: those of 64 bits need no more
_LONGEST = 10


class NotCanonical(Exception):
    """Bytes that encode nothing; the text says why."""


def unsigned(number: int) -> bytes:
    """A number from 0 on: seven bits a byte, the lowest first; all bytes but the last have bit 7 set."""
    if number < 0x80:
        return bytes((number,))
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    """Any number, as the unsigned numbers 0, 1, 2, 3, 4, … for 0, -1, 1, -2, 2, …"""
    return unsigned(2 * number if number >= 0 else -2 * number - 1)


def prefixed(data: bytes) -> bytes:
    """Bytes with their number in front of them."""
    return unsigned(len(data)) + data


def text_bytes(text: str) -> bytes:
    """A text in UTF-8, with the number of its bytes in front of it."""
    return prefixed(text.encode())


class Reader:
    """Reads one thing after the other; raises `NotCanonical` where that cannot be read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    @property
    def is_at_end(self) -> bool:
        """Whether everything has been read."""
        return self.at == len(self._data)

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def unsigned(self) -> int:
        """A number from 0 on."""
        first = self.byte()
        if first < 0x80:
            return first
        number, shift = first & 0x7F, 7
        while True:
            more = self.byte()
            number |= (more & 0x7F) << shift
            shift += 7
            if more < 0x80:
                return number
            if shift >= 7 * _LONGEST:
                raise NotCanonical("a number is too large")

    def signed(self) -> int:
        """Any number."""
        number = self.unsigned()
        return -(number + 1) // 2 if number & 1 else number // 2

    def take(self, count: int) -> bytes:
        """So many bytes."""
        if count > len(self._data) - self.at:
            raise NotCanonical("it ends too early")
        self.at += count
        return self._data[self.at - count : self.at]

    def prefixed(self) -> bytes:
        """Bytes with their number in front of them."""
        return self.take(self.unsigned())

    def text(self) -> str:
        """A text with the number of its bytes in front of it."""
        try:
            return self.prefixed().decode()
        except UnicodeDecodeError:
            raise NotCanonical("a text is not UTF-8") from None


# ---------------------------------------------------------------- hashing

_WORD = (1 << 64) - 1


def fragment_hash(data: bytes) -> int:
    """The hash of a fragment: FNV-1a, in 64 bits."""
    found = 0xCBF29CE484222325
    for byte in data:
        found = (found ^ byte) * 0x100000001B3 & _WORD
    return found


def mixed(one: int, other: int) -> int:
    """Both halves of the product of two words of 64 bits, put together."""
    product = one * other
    return (product ^ product >> 64) & _WORD


def unknown_position(number: int) -> NotCanonical:
    """The error for a number that no position has."""
    return NotCanonical(f"there is no position {number}")
