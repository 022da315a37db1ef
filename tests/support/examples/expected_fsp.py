"""What the FSP examples must answer: sizes, safety, progress and asserts of every target.

Verdicts of the readers and writers and of the client and server are those of the published paper; all others
follow from what the models say about themselves. Sizes and verdicts of safety and progress were also found by
the slow interpreter of the tests, which shares only the parser with the product (and knows no `minimal` and
no `@`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: what safety can say besides "deadlock" and "error in …"
SAFE = "safe"


@dataclass(frozen=True)
class Target:
    """A composite process: its size, and the answers to everything that its file asks.

    `safety` is SAFE, "deadlock" or "error in NAME"; `steps` is the length of the way there. `progress`
    and `asserts` have for each name the length of the stem of the counterexample, or None where it holds.
    `shown` is the size of what `graph` shows, where that is another.
    """

    file: str
    name: str
    states: int
    transitions: int
    safety: str = SAFE
    steps: int | None = None
    progress: Mapping[str, int | None] = field(default_factory=dict)
    asserts: Mapping[str, int | None] = field(default_factory=dict)
    shown: tuple[int, int] | None = None

    @property
    def id(self) -> str:
        return f"{self.file}-{self.name}"


def _holding(*names: str) -> dict[str, int | None]:
    return dict.fromkeys(names)


DEFAULT_HOLDS = _holding("default")
_RELEASES = _holding("WREL.1", "WREL.2", "RREL.1", "RREL.2")
_LOCK_HOLDS = _holding("WRITER", "READER") | _RELEASES

READERS_WRITERS = (
    Target("readers_writers", "READERS_WRITERS", 6, 12, progress=_LOCK_HOLDS),
    Target("readers_writers", "RW_PROGRESS", 6, 10, progress=_LOCK_HOLDS | {"WRITER": 1}),
    Target("readers_writers_waiting", "READERS_WRITERS", 52, 146, progress=_LOCK_HOLDS),
    Target("readers_writers_waiting", "RW_PROGRESS", 52, 112, progress=_LOCK_HOLDS | {"READER": 3}),
    Target("readers_writers_turn", "READERS_WRITERS", 104, 298, progress=_LOCK_HOLDS),
    Target("readers_writers_turn", "RW_PROGRESS", 64, 134, progress=_LOCK_HOLDS),
)

_SERVED = _holding("SERVE_A", "SERVE_B", "ANSWER_B")
CLIENT_SERVER = (
    Target("client_server", "GOOD", 3, 4, progress=_SERVED),
    Target("client_server", "FAULTY", 5, 8, progress=_SERVED | {"SERVE_B": 1}),
)

# three think and three take their left forks
PHILOSOPHERS = (
    Target(
        "dining_philosophers",
        "SAME",
        99,
        240,
        "deadlock",
        6,
        progress={"EATS.0": 6, "EATS.1": 6, "EATS.2": 6},
    ),
    Target("dining_philosophers", "MIXED", 99, 240, progress=_holding("EATS.0", "EATS.1", "EATS.2")),
)

_CROSSING = _holding("EAST_CROSSES", "WEST_CROSSES")
BRIDGE = (
    Target(
        "single_lane_bridge",
        "OPEN",
        7,
        28,
        "error in ONE_WAY",
        2,
        progress={"EAST_CROSSES": 2, "WEST_CROSSES": 2},
    ),
    Target("single_lane_bridge", "GUARDED", 7, 16, progress=_CROSSING),
    Target("single_lane_bridge", "JAM", 7, 12, progress={"EAST_CROSSES": 1, "WEST_CROSSES": 1}),
    Target(
        "single_lane_bridge",
        "POLITE",
        56,
        148,
        "deadlock",
        4,
        progress={"EAST_CROSSES": 4, "WEST_CROSSES": 4},
    ),
    Target("single_lane_bridge", "FAIR", 112, 332, progress=_CROSSING),
    Target("single_lane_bridge", "FAIR_JAM", 72, 150, progress=_CROSSING),
)

BUFFER = (
    Target("bounded_buffer", "TRANSFER", 13, 16, progress={"MOVES": 8}),
    Target("bounded_buffer", "GREEDY", 13, 16, "deadlock", 8, progress={"MOVES": 8}),
    Target("bounded_buffer", "ENDLESS", 3, 4, progress=_holding("MOVES")),
)

_ENTERS = _holding("ENTERS.1", "ENTERS.2")
_ASSERTS = _holding("MUTEX", "SERVED", "LEAVES") | {"TURNS": 5}
MUTEX = (
    Target("mutex", "CARELESS", 9, 18, progress=_ENTERS, asserts=_ASSERTS | {"MUTEX": 4}),
    Target("mutex", "LOCKED", 8, 14, progress=_ENTERS, asserts=_ASSERTS),
    Target("mutex", "BIASED", 6, 7, progress=_ENTERS | {"ENTERS.2": 3}, asserts=_ASSERTS | {"SERVED": 3}),
)

TIMED = (
    Target("timed", "LAZY", 6, 7, "error in PROMPT", 5, progress={"TIME": 5}),
    Target("timed", "ON_TIME", 6, 6, progress=_holding("TIME")),
    Target("timed", "TOO_SLOW", 5, 4, "deadlock", 4, progress={"TIME": 4}),
    Target("timed", "RESTLESS", 2, 3, progress={"TIME": 1}),
)

# The composition is checked before `minimal`, `property` and hiding apply to it; `graph` shows it after them.
PIPELINE = (
    Target("pipeline", "ROW", 8, 12, progress=DEFAULT_HOLDS, shown=(8, 12)),
    Target("pipeline", "SMALL", 8, 12, progress=DEFAULT_HOLDS, shown=(4, 6)),
    # four states, of which the first goes to ERROR by `out` and the last by `in`; ERROR is drawn as a state
    Target("pipeline", "SPEC", 8, 12, progress=DEFAULT_HOLDS, shown=(5, 8)),
    Target("pipeline", "TWO", 4, 5, progress=DEFAULT_HOLDS),
    Target("pipeline", "FOUR", 16, 28, progress=DEFAULT_HOLDS),
    Target("pipeline", "PAIR", 4, 5, progress=DEFAULT_HOLDS),
    # four items go in, and six moves make room for them
    Target("pipeline", "LONG", 15, 27, "error in SPEC", 10, progress={"default": 10}),
    Target("pipeline", "UNCHECKED", 16, 28, progress=DEFAULT_HOLDS),
    Target("pipeline", "CHECKED", 8, 13, progress=DEFAULT_HOLDS),
)

# Six transitions more than without `@`: a loop in each state where the automaton hopes that it guessed right.
BUECHI = (
    Target("buechi", "READERS_WRITERS", 6, 12, progress=DEFAULT_HOLDS),
    Target("buechi", "RW_PROGRESS", 6, 10, progress={"default": 1}),
    Target("buechi", "PRODUCT", 18, 54, progress={"default": 3}),
    Target("buechi", "STRESSED", 18, 46, progress={"default": 1}),
)

HANDSHAKE = (
    Target("handshake", "FOUR_PHASE", 6, 6, progress=_holding("MOVES")),
    Target("handshake", "TWO_PHASE", 4, 4, progress=_holding("MOVES")),
    # put, req and ack up and down, and put again
    Target("handshake", "HASTY", 6, 7, "error in ALTERNATE", 6, progress={"MOVES": 6}),
)

LOCK_FREE = (
    Target(
        "counter",
        "COUNTER",
        42,
        84,
        progress=_holding("SOME", "DONE.1", "DONE.2"),
        asserts=_holding("LOCK_FREE", "WAIT_FREE"),
    ),
)

ELECTION = (Target("coin_tossing", "ELECTION", 9, 12, progress=_holding("LED")),)

TARGETS = (
    *READERS_WRITERS,
    *CLIENT_SERVER,
    *PHILOSOPHERS,
    *BRIDGE,
    *BUFFER,
    *MUTEX,
    *TIMED,
    *PIPELINE,
    *BUECHI,
    *HANDSHAKE,
    *LOCK_FREE,
    *ELECTION,
)


@dataclass(frozen=True)
class Needing:
    """A progress property under each notion: Y for holds, N for violated, in the order of `expected.NOTIONS`.

    Each file says why. The oracle confirms them on the graph.
    """

    file: str
    process: str
    name: str
    actions: tuple[str, ...]
    verdicts: str

    @property
    def id(self) -> str:
        return f"{self.file}-{self.process}-{self.name}"


def _both(user: str, action: str) -> tuple[str, ...]:
    return tuple(f"{user}.{number}.{action}" for number in (1, 2))


_WRITES, _READS = _both("writer", "acquire"), _both("reader", "acquire")
_EAST = _both("east", "enter")

NEEDING = (
    Needing("bounded_buffer", "ENDLESS", "MOVES", ("get",), "Y Y Y Y Y Y"),
    Needing("client_server", "GOOD", "SERVE_A", ("a.reply",), "N N N Y Y Y"),
    Needing("coin_tossing", "ELECTION", "LED", ("a.led", "b.led"), "N N N N N Y"),
    Needing("counter", "COUNTER", "SOME", ("t.1.done", "t.2.done"), "Y Y Y Y Y Y"),
    Needing("counter", "COUNTER", "DONE.1", ("t.1.done",), "N N N Y N Y"),
    Needing("dining_philosophers", "MIXED", "EATS.0", ("p.0.eat",), "N N N Y Y Y"),
    Needing("handshake", "FOUR_PHASE", "MOVES", ("get",), "Y Y Y Y Y Y"),
    Needing("handshake", "TWO_PHASE", "MOVES", ("get",), "Y Y Y Y Y Y"),
    Needing("mutex", "LOCKED", "ENTERS.1", ("w.1.enter",), "N N N Y Y Y"),
    Needing("mutex", "BIASED", "ENTERS.2", ("w.2.enter",), "N N N N N N"),
    Needing("readers_writers", "READERS_WRITERS", "READER", _READS, "N N N Y Y Y"),
    Needing("readers_writers", "READERS_WRITERS", "WRITER", _WRITES, "N N N N N Y"),
    Needing("readers_writers", "RW_PROGRESS", "WRITER", _WRITES, "N N N N N N"),
    Needing("readers_writers_turn", "READERS_WRITERS", "READER", _READS, "N Y Y Y Y Y"),
    Needing("readers_writers_turn", "READERS_WRITERS", "WRITER", _WRITES, "N Y Y Y Y Y"),
    Needing("readers_writers_turn", "RW_PROGRESS", "READER", _READS, "Y Y Y Y Y Y"),
    Needing("readers_writers_turn", "RW_PROGRESS", "WRITER", _WRITES, "Y Y Y Y Y Y"),
    Needing("readers_writers_waiting", "READERS_WRITERS", "READER", _READS, "N N N N N Y"),
    Needing("readers_writers_waiting", "READERS_WRITERS", "WRITER", _WRITES, "N Y Y Y Y Y"),
    Needing("readers_writers_waiting", "RW_PROGRESS", "READER", _READS, "N N N N N N"),
    Needing("single_lane_bridge", "GUARDED", "EAST_CROSSES", _EAST, "N N N N N Y"),
    Needing("single_lane_bridge", "JAM", "EAST_CROSSES", _EAST, "N N N N N N"),
    Needing("single_lane_bridge", "FAIR", "EAST_CROSSES", _EAST, "N Y Y Y Y Y"),
    Needing("single_lane_bridge", "FAIR_JAM", "EAST_CROSSES", _EAST, "Y Y Y Y Y Y"),
    Needing("timed", "ON_TIME", "TIME", ("tick",), "Y Y Y Y Y Y"),
    Needing("timed", "RESTLESS", "TIME", ("tick",), "N N N N N N"),
)
