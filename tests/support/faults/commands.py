# ruff: noqa: E501 — the table has a line for each command
"""Every command, with every option that writes a file; and what tells a whole file from a part of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

#: what stands in each file before the command runs
OLD = "what was here before\n"

MODEL = """#define N 4;
var turn:{0..N} = 0;
P(i) = [turn == i] go.i{turn = (turn + 1) % N;} -> (rest.i -> P(i) [] nap.i -> P(i));
System() = ||| i:{0..N-1} @ P(i);
#define last (turn == N - 1);
#assert System() deadlockfree;
#assert System() |= []<> rest.0;
#assert System() reaches last;
"""
SCRIPT = "random 5\nsave walk.txt\nquit\n"


@dataclass(frozen=True)
class Written:
    """A command and the files that it writes, by name, each with a test whether its text is whole."""

    arguments: tuple[str, ...]
    files: dict[str, Callable[[str], bool]] = field(default_factory=dict)
    #: the exit statuses of a run that nothing disturbs
    statuses: tuple[int, ...] = (0,)
    #: whether the command can do without the file, and says so in a warning
    goes_on: bool = False


def is_xml(text: str) -> bool:
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    return True


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def is_page(text: str) -> bool:
    return text.startswith("<!") and text.rstrip().endswith("</html>")


def ends_line(text: str) -> bool:
    return text.endswith("\n") and len(text.splitlines()) > 1


def is_graph(text: str) -> bool:
    """Whether an Aldebaran file has as many lines as its first says."""
    first, *rest = text.splitlines()
    return int(first.split(",")[1]) == len(rest)


def is_any(text: str) -> bool:
    """For checkpoints: those that are not whole are refused when they are resumed."""
    return len(text) > 0


COMMANDS: dict[str, Written] = {
    "check": Written(("check", "m.csp", "--fairness", "all"), {}, (1,)),
    "check --json": Written(("check", "m.csp", "--json", "--coverage"), {}, (1,)),
    "check --html": Written(("check", "m.csp", "--html", "page.html"), {"page.html": is_page}, (1,)),
    "check --junit": Written(
        ("check", "m.csp", "--junit", "j.xml", "--sarif", "s.json"), {"j.xml": is_xml, "s.json": is_json}, (1,)
    ),
    "check --plot": Written(
        ("check", "m.csp", "1", "-D", "N=2..5", "--plot", "growth.svg"), {"growth.svg": is_xml}
    ),
    "check --checkpoint": Written(
        ("check", "m.csp", "1", "-D", "N=9", "--max-states", "2000", "--checkpoint", "saved",
         "--checkpoint-every", "0"),
        {"saved": is_any}, (3,), goes_on=True,
    ),
    "advise --html": Written(("advise", "m.csp", "2", "--html", "page.html"), {"page.html": is_page}),
    "advise --apply": Written(("advise", "m.csp", "2", "--apply", "new.csp"), {"new.csp": ends_line}),
    "graph -o": Written(("graph", "m.csp", "--format", "aut", "-o", "g.aut"), {"g.aut": is_graph}),
    "graph svg": Written(
        ("graph", "m.csp", "-D", "N=2", "--format", "svg", "-o", "g.svg"), {"g.svg": is_xml}
    ),
    "minimise -o": Written(("minimise", "m.csp", "-o", "g.aut"), {"g.aut": is_graph}),
    "papers": Written(
        ("papers", "--table", "fm2009", "--sizes", "2,3", "--max-states", "500", "--markdown", "p.md", "--csv", "p.csv", "--svg", "p.svg"),
        {"p.md": ends_line, "p.csv": ends_line, "p.svg": is_xml}, (0, 1, 3),
    ),
    "simulate": Written(("simulate", "m.csp", "--script", "commands"), {"walk.txt": ends_line}),
    "simulate --random": Written(("simulate", "m.csp", "--random", "50"), {}, (0, 3)),
    "validate": Written(("validate", "m.csp", "found.json"), {}),
    "ltl": Written(("ltl", "[](a -> <> b)"), {}),
    "explain": Written(("explain", "esf"), {}),
    "schema": Written(("schema", "check"), {}),
    "completion": Written(("completion", "bash"), {}),
}  # fmt: skip
WRITING = {name: command for name, command in COMMANDS.items() if command.files}


def prepare(folder: Path, found: str, command: Written) -> set[str]:
    """Writes what the command reads, and old files where it writes; the names of all of them."""
    texts = {"m.csp": MODEL, "commands": SCRIPT, "found.json": found}
    texts |= dict.fromkeys(command.files, OLD)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return set(texts)
