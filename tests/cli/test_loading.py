"""A command loads what it needs: most of the time of a short check is loading."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.engine import _native

CSP = "var x = 0; P = a{x = (x + 1) % 5;} -> b -> P; #define zero x == 0; "
FSP = "P = (a -> b -> P). Q = (b -> c -> Q). ||S = (P || Q). progress A = {a}\n"
GRAPH = 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'

#: what is for other commands, other questions or mistakes
NEVER = {
    "fairlead.present.draw",
    "fairlead.simulation",
    "fairlead.checker.stored",
    "fairlead.checker.strategies.counters",
    "fairlead.reduce.counters",
    "fairlead.reduce.symmetry",
    "fairlead.checker.strategies.symmetry",
    "fairlead.present.ci",
    "fairlead.base.schemas",
    "fairlead.cli.graph",
    "fairlead.cli.simulate",
    "fairlead.cli.minimise",
    "fairlead.cli.verbose",
    "fairlead.cli.completing",
    "fairlead.present.explain",
    "fairlead.base.similar_files",
    "fairlead.search.refine",
    "fairlead.evidence.refinement",
    "fairlead.evidence.labelling",
    "difflib",
    "traceback",
    "xml",
    "http",
    "tempfile",
    "lark",
}


def loaded_by(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command loads, and the packages they are in."""
    # without the site's own modules the engine is found only if it is told where it was installed
    installed = str(Path(_native.__file__ or "").parent)
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        f"import fairlead.engine; fairlead.engine.__path__.append({installed!r})\n"
        "from fairlead.cli.main import run\n"
        f"status = run({list(arguments)!r})\n"
        "assert status in (0, 1), status\n"
        "print('\\nloaded', *sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    found = run.stdout.rpartition("\nloaded ")[2].split()
    return {name.rsplit(".", depth)[0] for name in found for depth in range(name.count(".") + 1)}


@pytest.mark.parametrize("formula", ["[]<> a", "[] a"], ids=["holds", "violated"])
@pytest.mark.parametrize(
    ("name", "text", "others"),
    [
        (
            "model.csp",
            CSP,
            {"fairlead.lang.fsp", "fairlead.lang.explicit", "fairlead.model.machine_operations", "json"},
        ),
        ("model.lts", FSP, {"fairlead.lang.csp", "fairlead.lang.explicit", "json"}),
        ("model.aut", GRAPH, {"fairlead.lang.csp", "fairlead.lang.fsp", "fairlead.model.machine_operations"}),
    ],
    ids=["csp", "fsp", "graph"],
)
def test_a_check_loads_its_own_language_alone(
    tmp_path: Path, name: str, text: str, others: set[str], formula: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    process = () if name.endswith("aut") else ("--process", "P")
    # the first run may make the parse tables, for which lark is needed
    loaded_by(tmp_path, "check", name, "--ltl", formula, *process)
    found = loaded_by(tmp_path, "check", name, "--ltl", formula, *process)
    assert "fairlead.search.ltl" in found
    assert found & (NEVER | others) == set()


def test_evidence_of_a_kind_is_judged_by_modules_of_that_kind(tmp_path: Path) -> None:
    (tmp_path / "model.csp").write_text("P = a -> P [] b -> Q; Q = c -> Q; R = a -> R;", encoding="utf-8")
    found = loaded_by(tmp_path, "check", "model.csp", "P() refines R()")
    assert {"fairlead.search.refine", "fairlead.evidence.refinement"} <= found
    assert "fairlead.evidence.labelling" not in found
    found = loaded_by(tmp_path, "check", "model.csp", "--process", "P", "--ctl", "AG EF a")
    assert {"fairlead.search.ctl.branching", "fairlead.evidence.labelling"} <= found
    assert "fairlead.search.refine" not in found


def test_help_of_a_command_loads_no_language(tmp_path: Path) -> None:
    found = loaded_by(tmp_path, "check", "--help")
    assert "fairlead.cli.check" in found
    assert not found & {
        "fairlead.lang.csp",
        "fairlead.lang.fsp",
        "fairlead.cli.graph",
        "fairlead.present.draw",
    }
