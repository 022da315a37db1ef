"""What tells a loaded model from others, and from the same one with other numbers of processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

Loaded = TypeVar("Loaded")


def identity_of(
    definitions: Mapping[str, str], processes: Mapping[str, str], sources: Callable[[], bytes]
) -> str:
    """Tells a model from others, for checkpoints."""
    import hashlib  # rarely needed

    given = (sorted(definitions.items()), sorted(processes.items()))
    return hashlib.blake2b(repr(given).encode() + sources(), digest_size=16).hexdigest()


def with_numbers(
    reload: Callable[[Mapping[str, str]], Loaded] | None,
    chosen: Mapping[str, str],
    numbers: Mapping[str, int],
) -> Loaded:
    """The same model with these numbers of processes."""
    assert reload is not None, "only loaded models can have unboundedly many processes"
    return reload({**chosen, **{name: str(number) for name, number in numbers.items()}})
