"""Writes one certificate for all answers of a call, or of a command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from fairlead.checker.certificates.file import CertificateFile, ModelIdentity, certifying


class Certifying:
    """The certificate of one model that is being written, if one is."""

    def __init__(
        self,
        digest: Callable[[], str],
        definitions: Mapping[str, str],
        processes: Mapping[str, str],
        problem: Callable[[], str | None],
    ) -> None:
        """`problem` says why the checker of certificates cannot read the model, if so."""
        self._identity = ModelIdentity(digest, dict(definitions), dict(processes), problem)
        self.current: CertificateFile | None = None

    @contextmanager
    def to(self, path: str | None) -> Iterator[None]:
        """What holds of all that is answered inside is certified in this file, if there is one."""
        with certifying(path, self._identity) as self.current:
            try:
                yield
            finally:
                self.current = None
