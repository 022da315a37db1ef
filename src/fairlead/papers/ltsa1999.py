"""The examples of Giannakopoulou, Magee and Kramer (1999): progress under fair choice, and with action priority.

The paper has no table and no times; its claims are made one after the other, some with what LTSA prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.logic.fairness import Fairness
from fairlead.papers.rows import Ending, Published, Question, Row, Table

_FAIR_CHOICE, _NONE = Fairness.STRONG_GLOBAL, Fairness.NONE
_PRIORITY = "release has low priority"


def _users(kind: str, *actions: str) -> frozenset[str]:
    return frozenset(f"{kind}.{number}.{action}" for number in (1, 2) for action in actions)


# ---------------------------------------------------------------- section 2: a server and two clients

_SERVER = "fsp/client_server.lts"
_S, _FAULTY = "S", "S, B may crash"


def _client_rows() -> Iterator[Row]:
    for notion, holds in ((_NONE, False), (_FAIR_CHOICE, True)):
        for test in ("SERVE_A", "SERVE_B"):
            yield _row(_S, _SERVER, "GOOD", test, Published("Section 2", holds), notion)
    printed = Ending(("a.req", "b.crash"), frozenset({"a.req", "a.reply"}))
    yield _row(
        _FAULTY,
        _SERVER,
        "FAULTY",
        "SERVE_B",
        Published("Section 2, LTSA's report", False, ending=printed),
        remark="The trace printed for SERVE_B begins with a.req. Ours is a shortest one; both lead into the same "
        "terminal set.",
    )
    yield _row(
        _FAULTY, _SERVER, "FAULTY", "ANSWER_B", Published("Section 2", True), claim="if {b.req} then {b.reply}"
    )


# ---------------------------------------------------------------- section 4: readers and writers

_LOCK, _WAITING, _TURN = "readers/writers", "… writers wait", "… with a turn"
_LOCK_FILE, _WAITING_FILE = "fsp/readers_writers.lts", "fsp/readers_writers_waiting.lts"
_TURN_FILE = "fsp/readers_writers_turn.lts"
_PLAIN, _STRESSED = "READERS_WRITERS", "RW_PROGRESS"
_RELEASES = ("WREL.1", "WREL.2", "RREL.1", "RREL.2")
_REVISED = (
    "The revised lock: Fig. 6 has reader[W].request where reader[R] is meant; with two readers and two writers both "
    "are the same."
)
_UNPRINTED = (
    "The lock with a turn is mentioned, not printed. Ours counts waiting readers too, and the turn changes at "
    "every release."
)


def _lock_rows() -> Iterator[Row]:
    for test in ("WRITER", "READER"):
        yield _row(_LOCK, _LOCK_FILE, _PLAIN, test, Published("Section 4", True, states=6))
    yield _row(
        _LOCK,
        _LOCK_FILE,
        _PLAIN,
        "safety",
        None,
        remark="Safety of the lock is not spoken of; the property SAFE_RW in the model is ours.",
    )
    starved = Ending(("reader.1.acquire",), _users("reader", "acquire", "release"))
    reported = "Section 4, LTSA's report"
    yield _row(_LOCK, _LOCK_FILE, _STRESSED, "WRITER", Published(reported, False, ending=starved))
    yield _row(_LOCK, _LOCK_FILE, _STRESSED, "READER", Published(f"{reported}: no other violation", True))


def _waiting_rows() -> Iterator[Row]:
    requests = ("reader.1.request", "reader.2.request", "writer.1.request", "writer.2.request")
    starved = Ending(requests, _users("writer", "request", "acquire", "release"))
    yield _row(_WAITING, _WAITING_FILE, _STRESSED, "WRITER", Published("Section 4", True), remark=_REVISED)
    yield _row(
        _WAITING,
        _WAITING_FILE,
        _STRESSED,
        "READER",
        Published("Section 4, LTSA's report", False, ending=starved),
        remark="The trace printed for READER has all four requests. Ours is a shortest one: the terminal set is entered "
        "with the first request of a writer.",
    )


def _other_rows() -> Iterator[Row]:
    for test in ("WRITER", "READER"):
        yield _row(
            _TURN, _TURN_FILE, _STRESSED, test, Published("Section 4", True), reconstruction=_UNPRINTED
        )
    for system, model in ((_LOCK, _LOCK_FILE), (_WAITING, _WAITING_FILE)):
        for target in (_PLAIN, _STRESSED):
            for test in _RELEASES:
                published = Published("Section 4: not violated by the two versions", True)
                yield _row(system, model, target, test, published)
    yield Row(
        f"{_LOCK} ∥ Büchi",
        None,
        "18 states",
        _FAIR_CHOICE.value,
        Question("fsp/buechi.lts", "PRODUCT progress default", _FAIR_CHOICE),
        Published("Section 4", states=18),
        remark="The product with the automaton for WRITER (Fig. 8): only its size is stated. That the default check is "
        "violated says that the automaton accepts nothing.",
    )


def _row(
    system: str,
    model: str,
    target: str,
    test: str,
    published: Published | None,
    notion: Fairness = _FAIR_CHOICE,
    *,
    claim: str | None = None,
    reconstruction: str | None = None,
    remark: str | None = None,
) -> Row:
    safety = test == "safety"
    shown = claim or (test if safety else f"progress {test}")
    if target == _STRESSED:
        shown = f"{shown}, {_PRIORITY}"
    question = Question(model, f"{target} {test if safety else f'progress {test}'}", None if safety else notion)
    fairness = "-" if safety else notion.value
    return Row(system, None, shown, fairness, question, published, reconstruction, remark=remark)


TABLES = (
    Table(
        "ltsa1999",
        "Progress with action priority",
        "D. Giannakopoulou, J. Magee and J. Kramer: Checking progress with action priority: is it fair? ESEC/FSE "
        "1999",
        "Claims of the text and of its figures; no times are given. Their fair choice is strong global fairness (sgf). Where "
        "a violation is reported, the actions of the terminal set have to be the same.",
        (*_client_rows(), *_lock_rows(), *_waiting_rows(), *_other_rows()),
    ),
)
