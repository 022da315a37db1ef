"""Loads models, from files and from text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairlead.api.arguments import EXPECTED
from fairlead.api.certifying import Certifying
from fairlead.api.model import Model
from fairlead.base.allowance import Stopped
from fairlead.base.arguments import checked
from fairlead.base.diagnostics import Code, input_error
from fairlead.base.files import read_text, recorded_reads
from fairlead.lang.registry import load_file, load_text
from fairlead.outcome.events import Phase
from fairlead.outcome.limits import Limits, limit_reached, within

if TYPE_CHECKING:
    from fairlead.model.composition import MachineTools
    from fairlead.reduce.tools import ReducingTools


@checked(EXPECTED)
def load(
    path: str | Path,
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
    processes: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Model:
    """Loads a model file: CSP# (.csp), FSP (.lts), Promela (.pml), or an explicit graph (.aut, .json).

    `definitions` overrides constants of the model, as `-D` does on the command line. `allow_python` names
    Python files with types and functions for the model; they are run. `processes` chooses how many copies of
    a process there are, as `{"Reader": "inf", "Writer": 5}`. `limits` on time and memory hold while the model
    is read.
    """
    texts, numbers = _texts(definitions), _texts(processes)
    files = [Path(file) for file in allow_python]

    def loaded(chosen: Mapping[str, str]) -> Model:
        tools = _Tools()
        with recorded_reads() as reads:
            found = load_file(Path(path), texts, files, tools, processes=chosen)
        digest = _digest(texts, chosen, None, Path(path), reads)
        certifying = Certifying(digest, texts, chosen, tools.problem)
        return Model(
            found, str(path), texts, chosen, loaded, lambda: _contents([Path(path), *files]), certifying
        )

    return _read(lambda: loaded(numbers), limits)


@checked(EXPECTED)
def loads(
    text: str,
    language: str = "csp",
    definitions: Mapping[str, object] | None = None,
    *,
    allow_python: Sequence[str | Path] = (),
    processes: Mapping[str, object] | None = None,
    limits: Limits | None = None,
) -> Model:
    """Loads a model given as text; `language` is csp, lts, aut or json."""
    return load_named(text, f"<{language}>", language, definitions, allow_python, processes, limits)


def load_named(
    text: str,
    name: str,
    language: str,
    definitions: Mapping[str, object] | None,
    allow_python: Sequence[str | Path],
    processes: Mapping[str, object] | None,
    limits: Limits | None = None,
) -> Model:
    """Loads a model given as text, which messages call by a name."""
    texts, numbers = _texts(definitions), _texts(processes)
    files = [Path(file) for file in allow_python]

    def loaded(chosen: Mapping[str, str]) -> Model:
        tools = _Tools()
        with recorded_reads() as reads:
            found = load_text(text, name, f".{language}", texts, files, tools, processes=chosen)
        digest = _digest(texts, chosen, text, Path(name), reads)
        certifying = Certifying(digest, texts, chosen, tools.problem)
        return Model(found, name, texts, chosen, loaded, lambda: text.encode() + _contents(files), certifying)

    return _read(lambda: loaded(numbers), limits)


def _read(loaded: Callable[[], Model], limits: Limits | None) -> Model:
    try:
        with within(limits, Phase.READING):
            return loaded()
    except Stopped as stop:  # the watchdog raised it when the block was being left already
        raise limit_reached(stop) from None


def _contents(files: Sequence[Path]) -> bytes:
    return b"\0".join(file.read_bytes() for file in files if file.is_file())


def _digest(
    definitions: Mapping[str, str],
    processes: Mapping[str, str],
    text: str | None,
    main: Path,
    files: Iterable[Path],
) -> Callable[[], str]:
    """Tells a model from others, for certificates; computed when one is written."""

    def digest() -> str:
        from fairlead.certify.questions import digest_of

        # lines end in one way, as they do in a file that is read
        own = read_text(main) if text is None else text.replace("\r\n", "\n").replace("\r", "\n")
        return digest_of(definitions, processes, own, main, files)

    return digest


class _Tools:
    """Makes the tools with which FSP builds machines, when they are needed."""

    def __init__(self) -> None:
        self._made: ReducingTools | None = None

    def __call__(self) -> MachineTools:
        from fairlead.reduce.tools import ReducingTools

        self._made = ReducingTools()
        return self._made

    def problem(self) -> str | None:
        """Why the checker of certificates cannot read the model, as far as that has been seen."""
        word = None if self._made is None else self._made.not_plain
        return None if word is None else f"'{word}' builds machines that 'fairlead certify' does not build"


def _texts(values: Mapping[str, object] | None) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in (values or {}).items():
        try:
            found[name] = str(value)
        except ValueError:  # Python does not write thousands of digits
            raise input_error(Code.USAGE, f"the value of '{name}' has too many digits") from None
    return found
