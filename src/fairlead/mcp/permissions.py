"""What an agent may do: which files are read, which Python files are run, and what a job may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import Code, input_error
from fairlead.base.files import Confinement, confined, read_text
from fairlead.base.records import dataclass
from fairlead.lang.registry import SUFFIXES
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import A_SIZE, Limits, size_of, within
from fairlead.service.requests import DEFAULT_LIMITS, JobKind, Request

#: no job may use more, unless the command line of the server allows it
CEILING = Limits(max_states=50_000_000, max_memory=4 << 30, timeout=600.0)
#: no text of a model is longer
LONGEST_TEXT = 4 << 20
#: a model that is given as text stands in the folder under this name
_UNNAMED = "text"


@dataclass(frozen=True)
class Permissions:
    """The folder that is readable, the Python files that models may use, and the most that a job may use."""

    folder: Path
    python: tuple[Path, ...] = ()
    ceiling: Limits = field(default_factory=lambda: CEILING)

    def request(self, kind: JobKind, given: Mapping[str, Any], **more: Any) -> Request:
        """A job about the model that the arguments of a tool mean; raises `InputError` if they mean none."""
        name, text = self._model(given)
        is_csp = name.lower().endswith(".csp")
        return Request(
            kind,
            name,
            text,
            texts={str(self.folder / name): text},
            definitions=given.get("definitions", {}),
            python=tuple(map(str, self.python)) if is_csp else (),
            folder=str(self.folder),
            limits=self.limits(given),
            **more,
        )

    def limits(self, given: Mapping[str, Any]) -> Limits:
        """The limits of a job: those that are given, or those that are usual, up to the ceiling."""
        wanted: dict[str, Any] = {}
        if "timeout" in given:
            wanted["timeout"] = float(given["timeout"])
        if "max_states" in given:
            wanted["max_states"] = given["max_states"]
        if "max_memory" in given:
            wanted["max_memory"] = size_of(given["max_memory"])
            if wanted["max_memory"] is None:
                raise input_error(Code.USAGE, f"max_memory: expected {A_SIZE}")
        for name, value in wanted.items():
            most = getattr(self.ceiling, name)
            if most is not None and value > most:
                raise input_error(Code.USAGE, f"{name}: at most {_plain(most)} here")
        usual = {
            name: min(getattr(DEFAULT_LIMITS, name), most)
            for name, most in vars(self.ceiling).items()
            if most is not None and name in ("timeout", "max_states", "max_memory")
        }
        return replace(DEFAULT_LIMITS, **usual | wanted)

    # ------------------------------------------------------------ models

    def _model(self, given: Mapping[str, Any]) -> tuple[str, str]:
        """The name and the text of a model."""
        if ("file" in given) == ("text" in given):
            raise input_error(Code.USAGE, "give either 'file' or 'text'")
        if "file" in given:
            return self._file(given["file"])
        text: str = given["text"]
        if len(text) > LONGEST_TEXT:
            raise _too_long("the text")
        return self._free_name(f".{given.get('language', 'csp')}"), text.replace("\r\n", "\n")

    def _file(self, written: str) -> tuple[str, str]:
        path = self.folder / written
        confinement = Confinement(self.folder)
        if "\0" in written or not confinement.allows(path):
            raise input_error(Code.FILE, f"'{written}' is not in the folder that agents may read")
        found = path.resolve()
        with confined(confinement), within(DEFAULT_LIMITS, Phase.READING):
            try:
                is_long = found.stat().st_size > LONGEST_TEXT
            except OSError:
                is_long = False  # reading says why
            if is_long:
                raise _too_long(f"'{written}'")
            name = found.relative_to(self.folder).as_posix()
            if found.suffix.lower() not in SUFFIXES:
                raise input_error(Code.FILE, f"'{written}' is not a model: expected {', '.join(SUFFIXES)}")
            return name, read_text(Path(name))

    def _free_name(self, suffix: str) -> str:
        """A name that no file in the folder has."""
        number = 1
        while (self.folder / f"{_UNNAMED}{number}{suffix}").exists():
            number += 1
        return f"{_UNNAMED}{number}{suffix}"


def _plain(number: float) -> str:
    return f"{number:g}" if number < 1000 else f"{number:,.0f}"


def _too_long(what: str) -> Exception:
    return input_error(Code.FILE, f"{what} has more than {LONGEST_TEXT >> 20} MB")
