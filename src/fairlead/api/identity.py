"""What tells a loaded model from others."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def identity_of(
    definitions: Mapping[str, str], processes: Mapping[str, str], sources: Callable[[], bytes]
) -> str:
    """Tells a model from others, for checkpoints."""
    import hashlib  # seldom needed

    given = (sorted(definitions.items()), sorted(processes.items()))
    return hashlib.blake2b(repr(given).encode() + sources(), digest_size=16).hexdigest()
