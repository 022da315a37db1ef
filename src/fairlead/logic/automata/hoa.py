"""Writes automata in the Hanoi omega-automata format, version 1, and reads back what it writes."""

from __future__ import annotations

import re

from fairlead.base.diagnostics import Code, input_error
from fairlead.logic.automata.automaton import Automaton, Transition
from fairlead.logic.ltl import Atom, AtomKind

_NAME = re.compile(r"[A-Za-z_]\w*(\.[-\w()+*/%]+)*", re.ASCII)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_COMPARISON = re.compile(r"\S.* (==|!=|<=|>=|<|>) \S")
_EDGE = re.compile(r"\[([^\]]*)\]\s+(\d+)(?:\s+\{([\d ]*)\})?")


def to_hoa(automaton: Automaton, name: str) -> str:
    """The automaton as text that other tools read (Babiak et al., CAV 2015)."""
    count = automaton.acceptance_sets
    # the format has its own names for the conditions with no set and with one set
    kind = {0: "all", 1: "Buchi"}.get(count, f"generalized-Buchi {count}")
    condition = "&".join(f"Inf({place})" for place in range(count)) or "t"
    atoms = "".join(f" {_quote(atom.text)}" for atom in automaton.atoms)
    lines = [
        "HOA: v1",
        f"name: {_quote(name)}",
        f"States: {len(automaton.transitions)}",
        f"Start: {automaton.initial}",
        f"AP: {len(automaton.atoms)}{atoms}",
        f"acc-name: {kind}",
        f"Acceptance: {count} {condition}",
        "properties: trans-labels explicit-labels trans-acc",
        "--BODY--",
    ]
    for state, row in enumerate(automaton.transitions):
        lines.append(f"State: {state}")
        for t in row:
            sets = " ".join(str(place) for place in range(count) if t.marks >> place & 1)
            marks = f" {{{sets}}}" if sets else ""
            lines.append(f"[{_label(t, len(automaton.atoms))}] {t.target}{marks}")
    return "\n".join([*lines, "--END--", ""])


def from_hoa(text: str) -> Automaton:
    """An automaton in the subset of the format that `to_hoa` writes; how its atoms were spelt is guessed."""
    header, _, body = text.partition("--BODY--")
    fields = dict(line.split(": ", 1) for line in header.strip().splitlines() if ": " in line)
    if fields.get("HOA") != "v1" or "--END--" not in body:
        raise input_error(Code.GRAPH, "this is not an automaton in HOA format, version 1")
    atoms = tuple(_atom(_unquote(found)) for found in _QUOTED.findall(fields["AP"]))
    rows: list[list[Transition]] = [[] for _ in range(int(fields["States"]))]
    state = -1
    for line in body.partition("--END--")[0].strip().splitlines():
        edge = _EDGE.fullmatch(line.strip())
        if line.startswith("State: "):
            state = int(line.removeprefix("State: "))
        elif edge is None:
            raise input_error(Code.GRAPH, f"'{line}' is not a transition as fairlead writes them")
        else:
            positive, negative = _cube(edge[1])
            marks = sum(1 << int(place) for place in (edge[3] or "").split())
            rows[state].append(Transition(positive, negative, int(edge[2]), marks))
    count = int(fields["Acceptance"].split()[0])
    return Automaton(atoms, int(fields["Start"]), tuple(map(tuple, rows)), count)


def _label(transition: Transition, atom_count: int) -> str:
    literals = [
        f"{'!' if transition.negative >> place & 1 else ''}{place}"
        for place in range(atom_count)
        if (transition.positive | transition.negative) >> place & 1
    ]
    return "&".join(literals) or "t"


def _cube(label: str) -> tuple[int, int]:
    positive = negative = 0
    for literal in label.split("&") if label != "t" else ():
        if literal.startswith("!"):
            negative |= 1 << int(literal[1:])
        else:
            positive |= 1 << int(literal)
    return positive, negative


def _atom(text: str) -> Atom:
    if _NAME.fullmatch(text):
        return Atom(text, AtomKind.NAME)
    return Atom(text, AtomKind.COMPARISON if _COMPARISON.match(text) else AtomKind.QUOTED)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
