"""What the models that tell notions of fairness apart must answer, and which of them are the smallest.

Each file says why. The verdicts of the published graphs are given; those of the smallest models follow from a
search through all small graphs (`smallest`), which has definitions of fairness of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.examples.expected import Origin, Row, Size

# The small graphs that tell the notions apart, as processes and as graphs. An .aut file does not name
# processes: the whole graph is one process.
SMALL_GRAPHS = (
    Row("choice_in_one_process.csp", "W", None, "[]<> a", "N Y N Y N Y", Size(1, 2)),
    Row("two_processes.csp", "System", None, "[]<> a", "N Y Y Y Y Y", Size(1, 2)),
    Row("now_and_then.csp", "P", None, "[]<> b", "N N N Y N Y", Size(2, 3)),
    Row("door.csp", "System", None, "[]<> c", "N N N Y Y Y", Size(2, 3)),
    Row("same_event_elsewhere.csp", "Zero", None, "[]<> top", "N N N N N Y", Size(3, 4)),
    Row("same_event_two_targets.csp", "P", None, "[]<> b", "N N N N N Y", Size(3, 4)),
    Row("a_then_b.csp", "W", None, "<>[] (a -> X !b)", "N N N N N N", Size(1, 2)),
    Row("now_and_then.json", None, None, "[]<> b", "N N N Y N Y", Size(2, 3)),
    Row("same_event_elsewhere.json", None, None, "[]<> top", "N N N N N Y", Size(3, 4)),
    Row("same_event_two_targets.json", None, None, "[]<> b", "N N N N N Y", Size(3, 4)),
    Row("a_then_b.json", None, None, "<>[] (a -> X !b)", "N N N N N N", Size(1, 2)),
    Row("now_and_then.aut", None, None, "[]<> b", "N N N Y N Y", Size(2, 3)),
    Row("same_event_two_targets.aut", None, None, "[]<> b", "N N N N N Y", Size(3, 4)),
    Row("a_then_b.aut", None, None, "<>[] (a -> X !b)", "N N N N N N", Size(1, 2)),
    # Emerson & Lei's two processes: given are none, pwf (N) and psf (Y); with a turn bit, pwf (Y). In
    # the graph with the turn bit a process may also rest in its region N, or no fairness would be needed.
    Row(
        "critical_regions.json",
        None,
        None,
        "[] (T1 -> <> C1)",
        "N N N Y Y Y",
        Size(8, 14),
        Origin.COMPUTED,
    ),
    Row(
        "critical_regions_turn.json",
        None,
        None,
        "[] (T1 -> <> C1)",
        "N Y Y Y Y Y",
        Size(9, 20),
        Origin.COMPUTED,
    ),
    # "b ends": the loop of P1 alone is not fair towards P2, which could stop it at any time.
    Row(
        "random_number_generator.json",
        None,
        None,
        "<> !b",
        "N Y Y Y Y Y",
        Size(2, 2),
        Origin.COMPUTED,
    ),
)

# Annotations of single events count under every notion.
ANNOTATED = tuple(
    Row("annotations.csp", "System", None, formula, verdicts, Size(4, 18), Origin.COMPUTED)
    for formula, verdicts in (
        ("[]<> tick", "Y Y Y Y Y Y"),
        ("[]<> send -> []<> deliver", "Y Y Y Y Y Y"),
        ("[](fail -> <> repair)", "Y Y Y Y Y Y"),
        ("[]<> deliver", "N Y Y Y Y Y"),
        ("[]<> repair", "N Y N Y N Y"),
    )
)

#: fairness on single events beside none
_ANNOTATED_PAIRS = (
    ("annotated_choice", "Plain", "[]<> a", "N Y N Y N Y", Size(1, 2)),
    ("annotated_choice", "Weak", "[]<> a", "Y Y Y Y Y Y", Size(1, 2)),
    ("annotated_every_other_step", "Weak", "[]<> b", "N N N Y N Y", Size(2, 3)),
    ("annotated_every_other_step", "Strong", "[]<> b", "Y Y Y Y Y Y", Size(2, 3)),
    ("annotated_coin", "Strong", "[]<> !head", "N N N N N N", Size(2, 2)),
    # under sgf vacuously: what is tossed forever shows its head some day
    ("annotated_coin", "Always", "[]<> !head", "Y Y Y Y Y Y", Size(2, 2)),
)


@dataclass(frozen=True)
class Square:
    """A smallest model with a formula that some notions need: one of the nine places of the square."""

    name: str
    process: str
    formula: str
    verdicts: str
    #: transitions, states, events, processes
    size: tuple[int, int, int, int]

    @property
    def row(self) -> Row:
        size = Size(self.size[1], self.size[0])
        return Row(f"{self.name}.csp", self.process, None, self.formula, self.verdicts, size, Origin.COMPUTED)


#: by fairness of events (ewf, esf, neither helps), then of processes (pwf, psf, neither)
SQUARE = (
    Square("two_processes", "System", "[]<> a", "N Y Y Y Y Y", (2, 1, 2, 2)),
    Square("always_somebody", "System", "[]<> b", "N Y N Y Y Y", (4, 2, 2, 2)),
    Square("choice_in_one_process", "W", "[]<> a", "N Y N Y N Y", (2, 1, 2, 1)),
    Square("always_something", "System", "[]<> (a || b)", "N N Y Y Y Y", (4, 2, 3, 2)),
    Square("switch", "System", "[]<> b", "N N N Y Y Y", (3, 2, 2, 2)),
    Square("every_other_step", "P", "[]<> b", "N N N Y N Y", (3, 2, 2, 1)),
    Square("same_event_two_processes", "System", "[]<> over", "N N Y N Y Y", (2, 2, 1, 2)),
    Square("same_event_every_other_step", "System", "[]<> (a && !gone)", "N N N N Y Y", (3, 2, 2, 2)),
    Square("coin", "Coin", "[]<> head", "N N N N N Y", (2, 2, 1, 1)),
)


@dataclass(frozen=True)
class Pair:
    """A smallest model with a formula that holds under one notion and is violated under another.

    An annotation is a notion here: without any other fairness, of the event that the process is annotated on.
    """

    holds: str
    violated: str
    name: str
    formula: str
    process: str
    #: for annotations, the process of the other notion, and the event
    other_process: str | None = None
    event: str | None = None

    @property
    def id(self) -> str:
        return f"{self.holds}-not-{self.violated}"


_COIN = ("coin", "[]<> head", "Coin")
_CHOICE = ("choice_in_one_process", "[]<> a", "W")
_TWO = ("two_processes", "[]<> a", "System")
_BLIND = ("same_event_two_processes", "[]<> over", "System")
_EVERY_OTHER = ("every_other_step", "[]<> b", "P")
_SWITCH = ("switch", "[]<> b", "System")
_ENDLESS = ("coin", "[]<> !head", "Coin")

PAIRS = (
    # each is stronger than the other
    Pair("ewf", "none", *_CHOICE),
    Pair("pwf", "none", *_TWO),
    Pair("esf", "ewf", *_EVERY_OTHER),
    Pair("psf", "pwf", *_SWITCH),
    Pair("sgf", "esf", *_COIN),
    Pair("sgf", "psf", *_CHOICE),
    # neither is stronger than the other
    Pair("ewf", "pwf", *_CHOICE),
    Pair("pwf", "ewf", *_BLIND),
    Pair("esf", "psf", *_CHOICE),
    Pair("psf", "esf", *_BLIND),
    Pair("ewf", "psf", *_CHOICE),
    Pair("psf", "ewf", *_BLIND),
    Pair("esf", "pwf", *_CHOICE),
    Pair("pwf", "esf", *_BLIND),
    # impartiality is stronger than fairness of processes, and beside all others
    Pair("impartial", "psf", *_ENDLESS),
    Pair("impartial", "sgf", *_ENDLESS),
    Pair("sgf", "impartial", *_CHOICE),
    Pair("ewf", "impartial", *_CHOICE),
    Pair("impartial", "ewf", *_ENDLESS),
    # annotations
    Pair("wf", "none", "annotated_choice", "[]<> a", "Weak", "Plain", "a"),
    Pair("sf", "wf", "annotated_every_other_step", "[]<> b", "Strong", "Weak", "b"),
    Pair("f", "sf", "annotated_coin", "[]<> !head", "Always", "Strong", "toss"),
)

ROWS = (
    *SMALL_GRAPHS,
    *ANNOTATED,
    *(square.row for square in SQUARE if square.name not in ("two_processes", "choice_in_one_process")),
    Row("coin.csp", "Coin", None, "[]<> !head", "N N N N N N", Size(2, 2), Origin.COMPUTED),
    *(
        Row(f"{name}.csp", process, None, formula, verdicts, size, Origin.COMPUTED)
        for name, process, formula, verdicts, size in _ANNOTATED_PAIRS
    ),
)
