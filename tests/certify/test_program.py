"""The checker as a program: what it says, its exit statuses, and that it never loads the engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fairlead
from fairlead.certify import workers
from fairlead.certify.program import main
from tests.support.forging.certificates import Parts

LARGE = """#define N 3;
var x[N]:{0..4};
P(i) = [x[i] < 4] up.i{x[i] = x[i] + 1;} -> P(i) [] [x[i] > 0] down.i{x[i] = x[i] - 1;} -> P(i);
System() = ||| i:{0..N-1} @ P(i);
#assert System() |= []<> up.0;
#assert System() |= [](up.0 -> <> down.0);
#assert System() deadlockfree;
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "large.csp"
    path.write_text(LARGE)
    return path


def certified(model: Path, **given: object) -> Path:
    path = model.with_suffix(".cert")
    fairlead.load(model, **given).check_all(fairness="pwf", certificate=path)  # type: ignore[arg-type]
    return path


def program(*arguments: object, **given: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fairlead.certify", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", **given)  # type: ignore[call-overload, no-any-return]


def test_the_engine_is_never_loaded(model: Path) -> None:
    """Nor is what searches, judges evidence or reduces."""
    code = (
        "import sys; from fairlead.certify.program import main; main(sys.argv[1:]);"
        "print(sorted({name.split('.')[1] for name in sys.modules if name.startswith('fairlead.')}))"
    )
    command = [sys.executable, "-c", code, str(model), str(certified(model))]
    shown = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert shown.count("accepted") == 3
    rooms = set(json.loads(shown.splitlines()[-1].replace("'", '"')))
    assert rooms == {"base", "certify", "lang", "logic", "model"}


def test_the_command_is_the_same_program(model: Path) -> None:
    path = certified(model)
    found = program(model, path)
    command = [sys.executable, "-m", "fairlead", "certify", str(model), str(path)]
    assert subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout == found.stdout
    assert found.returncode == 0
    assert "accepted  holds     none       System() deadlockfree  (125 states)" in found.stdout
    assert "taken on trust: " in found.stdout


def test_statuses(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = certified(model)
    assert main([str(model), str(path)]) == 0
    assert main([str(model), str(path.with_name("none"))]) == 2
    assert main([str(model.with_name("none.csp")), str(path)]) == 2
    assert main([str(model), str(model)]) == 1  # no certificate
    assert main([str(model), str(path), "-D", "N=2"]) == 1
    assert main([str(model), str(path), "--timeout", "0"]) == 3
    model.write_text(LARGE + "\n// more\n")
    assert main([str(model), str(path)]) == 1
    shown = capsys.readouterr()
    assert "it is for another model, or for other constants" in shown.out
    assert "timeout reached" in shown.err


def test_constants_are_those_of_the_certificate(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = certified(model, definitions={"N": 2})
    assert main([str(model), str(path)]) == 0
    assert "with N=2" in capsys.readouterr().out


def test_an_entry_that_is_wrong_does_not_hide_the_others(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = certified(model)
    parts = Parts.read(path)
    rows = parts.entries[0][1][0]
    del rows[sorted(rows)[5]]
    parts.write(path)
    assert main([str(model), str(path)]) == 1
    shown = capsys.readouterr().out
    assert "REJECTED  holds     pwf" in shown and "a step leads to a state that is not listed" in shown
    assert "accepted  holds     none" in shown


def test_several_processes_say_the_same_as_one(
    model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = certified(model)
    assert main([str(model), str(path)]) == 0
    alone = capsys.readouterr().out
    monkeypatch.setattr(workers, "WORTH_IT", 0)
    assert main([str(model), str(path), "--processes", "2"]) == 0
    assert capsys.readouterr().out == alone
    parts = Parts.read(path)
    rows = parts.entries[0][1][0]
    del rows[sorted(rows)[5]]
    parts.write(path)
    assert main([str(model), str(path), "--processes", "2"]) == 1
    assert "not listed" in capsys.readouterr().out


def test_facts_are_shared_between_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model.csp"
    model.write_text("P() = sf(a) -> P() [] b -> P();\nQ() = c -> Q();\nS() = P() ||| Q();\n")
    path = tmp_path / "certificate"
    loaded = fairlead.load(model)
    assert loaded.check("S() |= []<> a", "impartial", certificate=path)
    monkeypatch.setattr(workers, "WORTH_IT", 0)
    assert main([str(model), str(path), "--processes", "2"]) == 0
    assert "accepted" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    model = tmp_path / "large.csp"
    model.write_text(LARGE.replace("#define N 3", "#define N 5"))
    path = certified(model)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "fairlead.certify", str(model), str(path), "--processes", "2"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment
    )
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    _, problem = running.communicate(timeout=60)
    assert running.returncode in (0, 130)
    assert "Traceback" not in problem
    assert not list(temporary.iterdir())
