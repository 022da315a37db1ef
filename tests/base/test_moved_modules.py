"""Names of modules that the manual of 0.1 named continue working."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from fairlead.base.moved_modules import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_names_are_the_same_modules(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old} is {new} now"):
        sys.modules.pop(old, None)
        found = importlib.import_module(old)
    assert found is importlib.import_module(new)
    assert found.__name__ == new
    assert found.__spec__ is not None and found.__spec__.name == new


def test_as_the_manual_had_it() -> None:
    script = (
        "from fairlead.drawing.svg import to_svg; from fairlead.check.events import Way; "
        "import fairlead.present.draw.svg as new; assert to_svg is new.to_svg"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("fairlead.drawings")
    with pytest.raises(ModuleNotFoundError), pytest.warns(DeprecationWarning):
        importlib.import_module("fairlead.drawing.nothing")
