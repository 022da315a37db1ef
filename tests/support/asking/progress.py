"""Asking for progress: tests and graphs written shortly."""

from __future__ import annotations

import fairlead
from fairlead.evidence.terminal import EndsInTerminalSet
from fairlead.evidence.validate import validate
from fairlead.model.assertion import AllProgress, ProgressAssertion, Progresses, ProgressTest
from fairlead.outcome.limits import Limits
from fairlead.search.progress import check_progress
from fairlead.search.target import Target, target_of


def one_of(actions: str, condition: str | None = None, name: str = "P") -> Progresses:
    given = None if condition is None else frozenset(condition.split())
    return Progresses("", f"progress {name}", ProgressTest(name, frozenset(actions.split()), given))


def all_of(alphabet: str) -> AllProgress:
    return AllProgress("", "progress", frozenset(alphabet.split()))


def graph_target(text: str, language: str = "aut") -> Target:
    return target_of(fairlead.loads(text, language).graph(), Limits())


def aut(transitions: str) -> str:
    """`0 a 1, 1 b 0` as a graph."""
    steps = [step.split() for step in transitions.split(",")]
    states = 1 + max(int(number) for step in steps for number in (step[0], step[2]))
    lines = [f"des (0, {len(steps)}, {states})", *(f'({s}, "{e}", {t})' for s, e, t in steps)]
    return "\n".join(lines) + "\n"


def explained(target: Target, assertion: ProgressAssertion) -> tuple[list[str], dict[str, object]]:
    finding = check_progress(target, assertion)
    assert finding.run is not None
    explanation = validate(target.system, finding.run, EndsInTerminalSet(assertion, finding.terminal))
    assert explanation is not None
    return list(explanation.lines()), explanation.to_json()


#: two clients and a server; the second client may crash unless it waits for a reply
CLIENTS = aut(
    "0 a.req 1, 1 a.reply 0, 0 b.req 2, 2 b.reply 0, 0 b.crash 3, 1 b.crash 4, 3 a.req 4, 4 a.reply 3"
)
