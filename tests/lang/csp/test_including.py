"""`#include`: the declarations of other files, each file once."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairlead.base.diagnostics import Code, InputError
from fairlead.base.source import Source
from fairlead.lang.csp.including import with_included
from fairlead.lang.csp.parse import parse_specification
from fairlead.lang.csp.syntax import Define


def names(folder: Path, files: dict[str, str], first: str = "main.csp") -> list[str]:
    """The constants a model made of several files declares, in their order."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    source = Source(str(folder / first), files[first])
    found = with_included(parse_specification(source)).declarations
    assert all(isinstance(declaration, Define) for declaration in found)
    return [declaration.name for declaration in found if isinstance(declaration, Define)]


def test_declarations_take_the_place_of_the_include(tmp_path: Path) -> None:
    files = {
        "main.csp": '#define a 1; #include "one.csp"; #define d 4;',
        "one.csp": '#define b 2;\n#include "two.csp";',
        "two.csp": "#define c 3;",
    }
    assert names(tmp_path, files) == ["a", "b", "c", "d"]


def test_files_may_include_each_other(tmp_path: Path) -> None:
    files = {
        "main.csp": '#include "one.csp"; #include "two.csp"; #define a 1;',
        "one.csp": '#include "main.csp"; #include "two.csp"; #define b 2;',
        "two.csp": '#include "two.csp"; #include "./one.csp"; #define c 3;',
    }
    assert names(tmp_path, files) == ["c", "b", "a"]


@pytest.mark.parametrize("path", ["lib/x.csp", "lib\\\\x.csp", "./lib/../lib/x.csp"])
def test_a_path_is_relative_to_the_file_it_stands_in(tmp_path: Path, path: str) -> None:
    files = {
        "main.csp": f'#include "{path}";',
        "lib/x.csp": '#include "y.csp"; #define x 1;',
        "lib/y.csp": "#define y 1;",
        "y.csp": "#define wrong 1;",
    }
    assert names(tmp_path, files) == ["y", "x"]


def test_a_path_of_another_machine_is_looked_for_next_to_the_file(tmp_path: Path) -> None:
    files = {"main.csp": '#include "C:\\Users\\Me\\x.csp";', "x.csp": "#define x 1;"}
    assert names(tmp_path, files) == ["x"]


def test_an_absolute_path(tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "x.csp").write_text("#define x 1;", encoding="utf-16")
    assert names(tmp_path, {"main.csp": f'#include "{other / "x.csp"}";'}) == ["x"]


@pytest.mark.parametrize("path", ["none.csp", "", ".", "x" * 5000, "nul\x00.csp", "C:\\none.csp"])
def test_no_such_file(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError) as caught:
        names(tmp_path, {"main.csp": f'#define a 1;\n#include "{path}";'})
    (found,) = caught.value.diagnostics
    assert found.code is Code.FILE and found.span is not None
    assert found.span.line == 2


def test_a_mistake_is_shown_in_its_file_with_the_include(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        names(tmp_path, {"main.csp": '#include "x.csp";', "x.csp": "\nP = a -> ;"})
    (found,) = caught.value.diagnostics
    assert found.span is not None and found.span.source.name == str(tmp_path / "x.csp")
    assert found.span.line == 2
    assert found.related[-1].span.source.name == str(tmp_path / "main.csp")


def test_a_long_chain(tmp_path: Path) -> None:
    files = {f"{i}.csp": f'#include "{i + 1}.csp"; #define c{i} 1;' for i in range(300)}
    files["300.csp"] = ""
    assert len(names(tmp_path, files, "0.csp")) == 300


@pytest.mark.parametrize("path", ["../secret.csp", "{folder}/secret.csp", "link.csp", "a/../../secret.csp"])
def test_nothing_outside_of_the_models_folder(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.csp").write_text("#define x 1;", encoding="utf-8")
    folder = tmp_path / "model"
    (folder / "a").mkdir(parents=True)
    (folder / "link.csp").symlink_to(tmp_path / "secret.csp")
    with pytest.raises(InputError) as caught:
        names(folder, {"main.csp": f'#include "{path.format(folder=tmp_path)}";'})
    assert "outside of the model's folder" in caught.value.diagnostics[0].message


def test_a_text_has_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.csp").write_text("#define x 1;", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        with_included(parse_specification(Source("<csp>", '#include "x.csp";')))
    assert "not a file" in caught.value.diagnostics[0].message
