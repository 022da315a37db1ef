"""Translates between addresses (URIs) of a client and files."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from urllib.parse import quote

from pygls.uris import from_fs_path, to_fs_path, urlparse

from fairlead.lang.registry import SUFFIXES


class Addresses:
    """Translates between the addresses of a client and paths.

    What is not a file, such as `untitled:Untitled-1`, gets a path below the client's folder where no file is,
    so that such documents can include each other. A document keeps the address under which it was opened.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._opened: dict[Path, str] = {}

    def path(self, uri: str, language: str = "") -> Path:
        """The file that an address means; `language` decides where it has no suffix."""
        try:
            name = to_fs_path(uri)
            if name:
                return Path(name).resolve()
            known = next((path for path, opened in self._opened.items() if opened == uri), None)
            return known or self._stand_in(uri, language)
        except ValueError:  # it is not an address, or not one of a file that there can be
            return self._root.joinpath("documents", quote(uri, safe=""))

    def uri(self, path: Path) -> str:
        """The address of a file."""
        return self._opened.get(path) or str(from_fs_path(str(path)))

    def open(self, uri: str, language: str = "") -> Path:
        """The file that an address means; it has this address until it is closed."""
        path = self.path(uri, language)
        self._opened[path] = uri
        return path

    def close(self, uri: str) -> Path:
        """The file of an address that is no longer open."""
        path = self.path(uri)
        self._opened.pop(path, None)
        return path

    def _stand_in(self, uri: str, language: str) -> Path:
        scheme, host, written, *_ = urlparse(uri)
        parts = [part for part in PurePosixPath(written).parts if part not in ("/", "..")]
        path = self._root.joinpath(f"{scheme}-documents", *filter(None, [host]), *parts)
        suffix = None if path.suffix.lower() in SUFFIXES else suffix_of(language)
        return path if suffix is None else path.with_name(path.name + suffix)


def suffix_of(language: str) -> str | None:
    """The suffix of files in a language, by the name that editors have for it, such as `csp` or `fsp`."""
    wanted = language.lower().removesuffix("#")
    return next((suffix for suffix, name in SUFFIXES.items() if identifier(name) == wanted), None)


def identifier(language: str) -> str:
    """What editors call a language: `csp` for CSP#."""
    return language.lower().removesuffix("#")
