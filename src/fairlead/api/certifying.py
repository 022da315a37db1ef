"""One certificate for all that is answered in a call, or in a command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from fairlead.checker.certificates.file import CertificateFile, ModelIdentity, certifying


class Certifying:
    """The certificate of one model that is being written, if one is."""

    def __init__(
        self, digest: Callable[[], str], definitions: Mapping[str, str], processes: Mapping[str, str]
    ) -> None:
        self._identity = ModelIdentity(digest, dict(definitions), dict(processes))
        self.current: CertificateFile | None = None

    @contextmanager
    def to(self, path: str | None) -> Iterator[None]:
        """What holds of all that is answered inside is certified in this file, if there is one."""
        with certifying(path, self._identity) as self.current:
            try:
                yield
            finally:
                self.current = None
