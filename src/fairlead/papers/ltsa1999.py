"""Contains the examples of Giannakopoulou, Magee and Kramer (1999): progress with priorities.

The paper has no table and no times; its claims are made one after the other, some with what LTSA prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.base.records import dataclass
from fairlead.logic.fairness.notions import Fairness
from fairlead.papers.rows import Ending, Published, Question, Row, Table

_FAIR_CHOICE, _NONE = Fairness.STRONG_GLOBAL, Fairness.NONE


@dataclass(frozen=True)
class _Version:
    """A version of a system: what it is called in the table, our model, and what of that is ours."""

    name: str
    model: str
    reconstruction: str | None = None

    def row(
        self,
        target: str,
        test: str,
        published: Published | None,
        fairness: Fairness = _FAIR_CHOICE,
        remark: str | None = None,
    ) -> Row:
        """A progress test of a composite process, which may have an action priority."""
        claim = _WRITTEN_OUT.get(test, f"progress {test}") + (_PRIORITY if target == _STRESSED else "")
        question = Question(self.model, f"{target} progress {test}", fairness)
        return Row(
            self.name, None, claim, fairness.value, question, published, self.reconstruction, remark=remark
        )


def _users(kind: str, *actions: str) -> frozenset[str]:
    return frozenset(f"{kind}.{number}.{action}" for number in (1, 2) for action in actions)


# ---------------------------------------------------------------- section 2: a server and two clients

_CLIENTS = _Version("S", "channels/client_server.lts")
_FAULTY = _Version("S, B may crash", _CLIENTS.model)
#: tests that are shown as the paper writes them
_WRITTEN_OUT = {"ANSWER_B": "if {b.req} then {b.reply}"}


def _client_rows() -> Iterator[Row]:
    for fairness, holds in ((_NONE, False), (_FAIR_CHOICE, True)):
        for test in ("SERVE_A", "SERVE_B"):
            yield _CLIENTS.row("GOOD", test, Published("Section 2", holds), fairness)
    printed = Ending(("a.req", "b.crash"), frozenset({"a.req", "a.reply"}))
    yield _FAULTY.row(
        "FAULTY",
        "SERVE_B",
        Published("Section 2, LTSA's report", False, ending=printed),
        remark=(
            "The trace printed for SERVE_B begins with a.req. Ours is a shortest one; both lead into the "
            "same terminal set."
        ),
    )
    yield _FAULTY.row("FAULTY", "ANSWER_B", Published("Section 2", True))


# ---------------------------------------------------------------- section 4: readers and writers

_PLAIN, _STRESSED = "READERS_WRITERS", "RW_PROGRESS"
_PRIORITY = ", release has low priority"
_RELEASES = ("WREL.1", "WREL.2", "RREL.1", "RREL.2")
_REPORT = "Section 4, LTSA's report"

_LOCK = _Version("readers/writers", "readers_writers/readers_writers.lts")
_WAITING = _Version("… writers wait", "readers_writers/readers_writers_waiting.lts")
_TURN = _Version(
    "… with a turn",
    "readers_writers/readers_writers_turn.lts",
    "The lock with a turn is mentioned, not printed. Ours counts waiting readers too, and the turn "
    "changes at every release.",
)


def _lock_rows() -> Iterator[Row]:
    for test in ("WRITER", "READER"):
        yield _LOCK.row(_PLAIN, test, Published("Section 4", True, states=6))
    yield Row(
        _LOCK.name,
        None,
        "safety",
        "-",
        Question(_LOCK.model, f"{_PLAIN} safety"),
        remark="Safety of the lock is not spoken of; the property SAFE_RW in the model is ours.",
    )
    starved = Ending(("reader.1.acquire",), _users("reader", "acquire", "release"))
    yield _LOCK.row(_STRESSED, "WRITER", Published(_REPORT, False, ending=starved))
    yield _LOCK.row(_STRESSED, "READER", Published(f"{_REPORT}: no other violation", True))


def _waiting_rows() -> Iterator[Row]:
    yield _WAITING.row(
        _STRESSED,
        "WRITER",
        Published("Section 4", True),
        remark=(
            "The revised lock: Fig. 6 has reader[W].request where reader[R] is meant; with two readers "
            "and two writers both are the same."
        ),
    )
    requests = ("reader.1.request", "reader.2.request", "writer.1.request", "writer.2.request")
    starved = Ending(requests, _users("writer", "request", "acquire", "release"))
    yield _WAITING.row(
        _STRESSED,
        "READER",
        Published(_REPORT, False, ending=starved),
        remark=(
            "The trace printed for READER has all four requests. Ours is a shortest one: the terminal set "
            "is entered with the first request of a writer."
        ),
    )


def _other_rows() -> Iterator[Row]:
    for test in ("WRITER", "READER"):
        yield _TURN.row(_STRESSED, test, Published("Section 4", True))
    for version in (_LOCK, _WAITING):
        for target in (_PLAIN, _STRESSED):
            for test in _RELEASES:
                yield version.row(
                    target, test, Published("Section 4: not violated by the two versions", True)
                )
    yield Row(
        f"{_LOCK.name} ∥ Büchi",
        None,
        "18 states",
        _FAIR_CHOICE.value,
        Question("readers_writers/buechi.lts", "PRODUCT progress default", _FAIR_CHOICE),
        Published("Section 4", states=18),
        remark=(
            "The product with the automaton for WRITER (Fig. 8): only its size is stated. That the "
            "default check is violated says that the automaton accepts nothing."
        ),
    )


TABLES = (
    Table(
        "ltsa1999",
        "Progress with action priority",
        "Giannakopoulou, Magee and Kramer: Checking progress with action priority: is it fair? ESEC/FSE 1999",
        "Claims of the text and of its figures; no times are given. Their fair choice is strong global "
        "fairness (sgf). Where a violation is reported, the actions of the terminal set have to be the "
        "same.",
        (*_client_rows(), *_lock_rows(), *_waiting_rows(), *_other_rows()),
    ),
)
