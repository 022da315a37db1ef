"""Two runs at once on one checkpoint, on one folder for states, on one report."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import fairlead
from fairlead.base.locking import InUse, locked
from fairlead.search.checkpoint import Checkpoints
from tests.support.faults.commands import COMMANDS, MODEL
from tests.support.faults.running import Place, assert_no_bug, assert_old_or_new

SAVING = ("check", "m.csp", "1", "--reduction", "none", "--checkpoint", "saved", "--checkpoint-every", "0")


def test_a_checkpoint_is_for_one_run(place: Place) -> None:
    """The second is refused, and the first is not disturbed."""
    place.prepare(COMMANDS["check"])
    with place.started(*SAVING, "-D", "N=17") as first:
        while first.poll() is None and not (place.folder / "saved.tmp").exists():
            time.sleep(0.002)
        assert first.poll() is None
        status, _, err = place.run(*SAVING, "-D", "N=4")
        assert first.poll() is None
        first.terminate()
        first.communicate()
    assert status == 2
    assert "error[file]: cannot write 'saved': another run saves its checkpoints there" in err
    assert first.returncode == 143
    again = place.run("check", "m.csp", "1", "-D", "N=17", "--resume", "saved", "--max-states", "1")
    assert again[0] == 3, again


def test_a_run_that_was_killed_locks_nothing(place: Place) -> None:
    place.prepare(COMMANDS["check"])
    with place.started(*SAVING, "-D", "N=17") as first:
        while first.poll() is None and not (place.folder / "saved.tmp").exists():
            time.sleep(0.002)
        first.kill()
        first.communicate()
    assert (place.folder / "saved.lock").exists()
    assert place.run(*SAVING, "-D", "N=4")[0] == 0
    assert not (place.folder / "saved.lock").exists()
    assert not (place.folder / "saved.tmp").exists()


@pytest.mark.parametrize("seed", range(3))
def test_many_runs_at_once(seed: int, place: Place) -> None:
    """Each has the right answer or is refused, and what is there in the end can be resumed."""
    place.prepare(COMMANDS["check"])
    asked = (*SAVING, "-D", f"N={5 + seed}")
    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(lambda _: place.run(*asked), range(4)))
    for status, out, err in ended:
        assert_no_bug(err)
        assert (status == 0 and "holds" in out) or (status == 2 and "another run" in err), (out, err)
    assert any(status == 0 for status, _, _ in ended)
    if (place.folder / "saved").exists():
        assert place.run("check", "m.csp", "1", "-D", f"N={5 + seed}", "--resume", "saved")[0] == 0
    assert not [name for name in place.names if name.endswith((".tmp", ".lock"))]


@pytest.mark.skipif(sys.platform != "linux", reason="states are kept on disk on Linux only")
def test_one_folder_for_states(place: Place) -> None:
    names = place.prepare(COMMANDS["check"])
    asked = ("check", "m.csp", "1", "-D", "N=11", "--reduction", "none", "--max-memory", "3M", "--disk", ".")
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda _: place.run(*asked), range(2)))
    for status, out, err in ended:
        assert_no_bug(err)
        assert status == 0 and "holds" in out, (out, err)
    assert place.names == names


def test_one_report(place: Place) -> None:
    """The last one wins, and it is whole."""
    command = COMMANDS["check --html"]
    names = place.prepare(command)
    with ThreadPoolExecutor(3) as pool:
        ended = list(pool.map(lambda _: place.run(*command.arguments), range(3)))
    assert [status for status, _, _ in ended] == [1, 1, 1]
    assert_old_or_new(place, command)
    assert place.names == names


# ---------------------------------------------------------------- in one process


def test_two_checks_of_one_program(tmp_path: Path) -> None:
    """Threads of one process count as two as well."""
    file = tmp_path / "saved"
    refused: list[str] = []

    def ask(progress: fairlead.Progress) -> None:
        if not refused:
            with pytest.raises(fairlead.InputError) as error:
                fairlead.loads(MODEL).check("1", checkpoints=Checkpoints(str(file)))
            refused.append(str(error.value))

    checked = fairlead.loads(MODEL).check("1", checkpoints=Checkpoints(str(file)), reporter=ask)
    assert checked.verdict is fairlead.Verdict.HOLDS
    assert "another run" in refused[0]


def test_locks(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()  # left behind
    with locked(path):
        with pytest.raises(InUse), locked(path):
            pass
        assert path.exists()
    assert not path.exists()
    with pytest.raises(FileNotFoundError), locked(tmp_path / "no" / "lock"):
        pass
