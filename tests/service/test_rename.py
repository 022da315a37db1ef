"""New names: every name of the examples gets another one and the answers stay the same; what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead
from fairlead.service.documents import Workspace
from fairlead.service.rename import Refused, applied, rename
from tests.support.editing import EXAMPLES
from tests.support.generators.csp_models import random_model

#: those that need no Python, and among them those that are checked fast
PLAIN = [path for path in EXAMPLES if "import" not in path.read_text()]
SMALL = [path for path in PLAIN if path.stat().st_size < 1300]


def renamed_everywhere(path: Path, text: str) -> tuple[str, int]:
    """The text after every name that can be changed has another one."""
    workspace = Workspace()
    document = workspace.open(path, text)
    analysis = workspace.analysis(document)
    assert analysis is not None
    names = [(one.name, one.kind) for one in analysis.symbols]
    done = 0
    for name, kind in dict.fromkeys(names):
        analysis = workspace.analysis(document)
        assert analysis is not None
        places = [one for one in analysis.symbols if one.name == name and one.kind is kind]
        for number in range(len(places)):
            analysis = workspace.analysis(document)
            assert analysis is not None
            left = [one for one in analysis.symbols if one.name == name and one.kind is kind]
            if not left:
                break
            new = f"{name}_{number}"
            found = rename(workspace, document, left[0].name_at.start, new)
            if isinstance(found, Refused):
                break
            done += 1
            document = workspace.open(path, applied(document.text, found, document.path))
    return document.text, done


def verdicts(text: str, suffix: str) -> list[tuple[str, int]]:
    model = fairlead.loads(text, suffix)
    return [(result.verdict.value, result.statistics.states) for result in model.check_all(max_states=20_000)]


def check(path: Path, text: str) -> int:
    """The answers are the same after all names have changed."""
    renamed, done = renamed_everywhere(path, text)
    assert verdicts(renamed, path.suffix[1:]) == verdicts(text, path.suffix[1:]), renamed
    return done


@pytest.mark.parametrize("path", SMALL, ids=[path.name for path in SMALL])
def test_answers_stay_the_same(path: Path) -> None:
    assert check(path, path.read_text(encoding="utf-8")) >= 3


@pytest.mark.parametrize("seed", range(30))
def test_answers_of_random_models_stay_the_same(seed: int) -> None:
    check(Path("m.csp"), str(random_model(seed)))


@pytest.mark.long
@pytest.mark.parametrize("path", PLAIN, ids=[path.name for path in PLAIN])
def test_answers_stay_the_same_in_all_examples(path: Path) -> None:
    check(path, path.read_text(encoding="utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_answers_of_many_random_models_stay_the_same(seed: int) -> None:
    check(Path("m.csp"), str(random_model(seed)))


TEXT = """\
var x = 0;
channel c 1;
P(i) = a.i{x = i;} -> c!x -> c?y -> b.y -> P(i);
#assert P(1) |= []<> a.1 && "c!1";
"""


@pytest.mark.parametrize(
    ("name", "new", "reason"),
    [
        ("x", "var", "'var' is a word of CSP#"),
        ("x", "1x", "'1x' cannot be the name of this variable"),
        ("x", "c", "there is a 'c' already"),
        ("x", "U", "'U' is a word of CSP#"),
        ("->", "z", "there is no name here that could be changed"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, new: str, reason: str) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", TEXT)
    assert rename(workspace, document, TEXT.index(name), new) == Refused(reason)


def test_an_unknown_name_is_not_changed(tmp_path: Path) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", "P() = [y > 0] a -> P();")
    assert rename(workspace, document, document.text.index("y"), "z") == Refused(
        "'y' is not declared in the model"
    )


def test_a_channel_is_changed_in_quotes_as_well(tmp_path: Path) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", TEXT)
    found = rename(workspace, document, TEXT.index("c 1"), "pipe")
    assert not isinstance(found, Refused)
    text = applied(TEXT, found, document.path)
    assert "channel pipe 1" in text and "pipe!x -> pipe?y" in text and '"pipe!1"' in text


def test_files_that_include_each_other_change_together(tmp_path: Path) -> None:
    workspace = Workspace()
    part = tmp_path / "part.csp"
    part.write_text("#define N 2;\nQ() = a.N -> Q();\n")
    main = workspace.open(
        tmp_path / "main.csp", '#include "part.csp";\nP() = b.N -> Q();\n#assert P() |= <> a.2;\n'
    )
    found = rename(workspace, main, main.text.index("N ->"), "SIZE")
    assert not isinstance(found, Refused)
    assert {edit.path.name for edit in found} == {"main.csp", "part.csp"}
    assert applied(part.read_text(), found, part.resolve()) == "#define SIZE 2;\nQ() = a.SIZE -> Q();\n"
    events = rename(workspace, main, main.text.index("a.2"), "go")
    assert not isinstance(events, Refused)
    assert [edit.path.name for edit in events] == ["main.csp", "part.csp"]


def test_a_local_name_is_changed_where_it_holds(tmp_path: Path) -> None:
    text = "P() = (||| i:{0..1} @ a.i -> Skip) ||| (||| i:{0..2} @ b.i -> Skip);"
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", text)
    found = rename(workspace, document, text.index("i:{0..2}"), "k")
    assert not isinstance(found, Refused)
    assert applied(text, found, document.path) == text.replace("i:{0..2} @ b.i", "k:{0..2} @ b.k")


def test_an_action_of_an_imported_graph_keeps_its_name(tmp_path: Path) -> None:
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.lts", 'import P = "p.aut"\n||S = (P || Q).\nQ = (a -> Q).\n')
    assert isinstance(rename(workspace, document, document.text.index("a ->"), "b"), Refused)


def test_a_parameter_is_changed_in_the_alphabet_of_its_process(tmp_path: Path) -> None:
    text = "#alphabet P {a.n, i:{0..1} @ b.i};\nP(n) = a.n -> P(n);\nQ(n) = b.n -> Q(n);\n"
    workspace = Workspace()
    document = workspace.open(tmp_path / "m.csp", text)
    found = rename(workspace, document, text.index("n) = a"), "k")
    assert not isinstance(found, Refused)
    changed = "#alphabet P {a.k, i:{0..1} @ b.i};\nP(k) = a.k -> P(k);\nQ(n) = b.n -> Q(n);\n"
    assert applied(text, found, document.path) == changed
