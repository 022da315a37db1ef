"""Certificates taken apart, altered, and put together again; and writers that make mistakes."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import fairlead
from fairlead.base.diagnostics import InternalError
from fairlead.certify.container import (
    END,
    ENTRY,
    HEADER,
    MAGIC,
    Certificate,
    Rejected,
    packed_json,
    packed_states,
)
from fairlead.certify.questions import ModelFile
from fairlead.certify.reasons import Reason, Why
from fairlead.certify.run import Checked, Worker, check_alone
from fairlead.checker.certificates.entries import Entry, entry_of
from fairlead.checker.certificates.explored import Explored
from fairlead.checker.certificates.reasoning import Explained, Reasoning
from fairlead.checker.questions import system_of
from fairlead.model.assertion import Assertion
from fairlead.outcome.finding import Finding, Statistics, Verdict
from fairlead.outcome.limits import Clock, Limits
from tests.support.forging.checkpoints import OTHERS

#: states by their encodings, with their notes
Rows = dict[bytes, bytes]


@dataclass
class Parts:
    """What a certificate consists of."""

    header: dict[str, Any]
    entries: list[tuple[dict[str, Any], list[Rows]]] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Parts:
        found = Certificate(path)
        parts = cls(found.header)
        for listed in found.entries:
            sections = [
                {state: note for frame in frames for state, note in found.rows(frame)}
                for frames in listed.sections
            ]
            parts.entries.append((listed.claim, sections))
        return parts

    def write(self, path: Path) -> None:
        data = MAGIC + packed_json(HEADER, self.header)
        for claim, sections in self.entries:
            data += packed_json(ENTRY, claim)
            for number, rows in enumerate(sections):
                data += b"".join(packed_states(number, sorted(rows.items())))
        path.write_bytes(data + packed_json(END, {"entries": len(self.entries)}))

    def copy(self) -> Parts:
        return copy.deepcopy(self)


def check_parts(model: Path, parts: Parts, path: Path) -> list[Checked]:
    """What the checker says of the entries of a certificate, written to a file."""
    parts.write(path)
    worker = Worker(ModelFile(model, {}, {}), path, 0, None, 1)
    return [check_alone(worker, number) for number in range(len(worker.certificate.entries))]


def digest(model: Path) -> str:
    return ModelFile(model, {}, {}).load()[1]


# ---------------------------------------------------------------- writing what is not so


def written(
    model: fairlead.Model,
    question: Assertion,
    notion: str,
    alter: Callable[[Explored], object] = lambda explored: None,
    optimum: int | None = None,
) -> Entry:
    """What the writer says of a question as if it held; `alter` changes what it sees of the system."""
    checker = model._checker
    query = checker.questions.query(question, fairlead.Fairness(notion), None)
    target = checker.targets.of(system_of(query), Limits(), None, None)
    explored = Explored(target, Clock(Limits()))
    alter(explored)
    statistics = Statistics(0, 0, 0.0, 0)
    finding = Finding(Verdict.HOLDS, None, statistics, None, "", optimum=optimum)
    found = entry_of(query, explored, finding)
    return Entry(found.claim, tuple(list(rows) for rows in found.sections))


def parts_of(model: Path, entries: Sequence[Entry]) -> Parts:
    """A certificate with these entries."""
    parts = Parts({"tool": "test", "digest": digest(model), "definitions": {}, "processes": {}})
    for entry in entries:
        parts.entries.append((copy.deepcopy(entry.claim), [dict(rows) for rows in entry.sections]))
    return parts


@contextmanager
def reckless(chance: random.Random) -> Iterator[None]:
    """While inside, a writer that finds no reason for a class makes one up."""
    honest = Reasoning._explained

    def explained(self: Reasoning, *given: Any) -> Explained:
        try:
            return honest(self, *given)
        except InternalError:
            pass
        kind = chance.choice([Why.FAILS, Why.FAILS, Why.NO_STEPS, Why.EXIT])
        if kind is Why.FAILS and self._demands.marks:
            mark = self._demands.use(("mark", chance.randrange(self._demands.marks)))
            return Explained(self._reason(Reason(Why.FAILS, (mark,), frozenset({0}))), {})
        if kind is Why.EXIT:
            nodes = given[0]
            return Explained(self._reason(Reason(Why.EXIT)), dict.fromkeys(nodes, (0, chance.randrange(2))))
        return Explained(self._reason(Reason(Why.NO_STEPS)), {})

    with patch.object(Reasoning, "_explained", explained):
        yield


# ---------------------------------------------------------------- altering what was written


def altered(parts: Parts, chance: random.Random) -> Parts:
    """The certificate with one to three changes."""
    found = parts.copy()
    for _ in range(chance.randint(1, 3)):
        chance.choice((_alter_note, _alter_note, _drop_state, _alter_proof, _alter_proof, _swap_notes))(
            found, chance
        )
    return found


def _rows(parts: Parts, chance: random.Random) -> Rows | None:
    _, sections = chance.choice(parts.entries)
    filled = [rows for rows in sections if rows]
    return chance.choice(filled) if filled else None


def _alter_note(parts: Parts, chance: random.Random) -> None:
    rows = _rows(parts, chance)
    if rows is None:
        return
    state = chance.choice(sorted(rows))
    note = bytearray(rows[state])
    if note and chance.random() < 0.7:
        place = chance.randrange(len(note))
        note[place] = chance.choice([0, 1, 2, 3, (note[place] + 1) % 256, (note[place] - 1) % 256])
    elif note and chance.random() < 0.5:
        del note[chance.randrange(len(note)) :]
    else:
        note += bytes(chance.choices(range(4), k=chance.randint(1, 4)))
    rows[state] = bytes(note)


def _drop_state(parts: Parts, chance: random.Random) -> None:
    rows = _rows(parts, chance)
    if rows is not None:
        del rows[chance.choice(sorted(rows))]


def _swap_notes(parts: Parts, chance: random.Random) -> None:
    rows = _rows(parts, chance)
    if rows is not None:
        one, other = chance.choice(sorted(rows)), chance.choice(sorted(rows))
        rows[one], rows[other] = rows[other], rows[one]


def _alter_proof(parts: Parts, chance: random.Random) -> None:
    """Changes something in the automaton, the conditions or the reasons."""
    claim, _ = chance.choice(parts.entries)
    places = list(_places(claim["proof"]))
    if not places:
        return
    inside, key = chance.choice(places)
    if isinstance(inside, list) and chance.random() < 0.3:
        if chance.random() < 0.5:
            del inside[key]
        else:
            inside.append(copy.deepcopy(inside[key]))
    elif isinstance(inside[key], int) and chance.random() < 0.8:
        inside[key] = max(0, inside[key] + chance.choice([-1, 1, 2]))
    else:
        inside[key] = chance.choice(
            [*OTHERS[:10], "fails", "prune", "no-steps", "branch", "exit", "true", "until"]
        )


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    keys: Any = range(len(data)) if isinstance(data, list) else data
    for key in keys:
        yield data, key
        if isinstance(data[key], list | dict):
            yield from _places(data[key])


def refused(model: Path, parts: Parts, path: Path) -> bool:
    """Whether the checker rejects a certificate, or an entry of it."""
    try:
        return any(found.problem is not None for found in check_parts(model, parts, path))
    except Rejected:
        return True
