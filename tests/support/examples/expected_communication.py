"""What the examples with channels, interrupt, atomic parts and synchronised events must answer.

Verdicts and sizes were found by systems written by hand, as functions from a state to its steps, and judged
by the oracle (tests/support/oracle); fairlead had no part in that.
"""

from __future__ import annotations

from tests.support.examples.expected import Origin, PlainRow, Row, Size


def computed(name: str, process: str, n: int, formula: str, verdicts: str, size: Size) -> Row:
    return Row(f"{name}.csp", process, n, formula, verdicts, size, Origin.COMPUTED)


IN_ORDER = "[](produce.0 -> X (!produce.1 W consume.0))"
ANSWERED = '[]<> "answer[0].0"'

ROWS = (
    # Lines that lose everything keep all processes moving, and can pass only now and then: esf it is.
    computed("alternating_bit", "Protocol", 1, IN_ORDER, "Y Y Y Y Y Y", Size(764, 2314)),
    computed("alternating_bit", "Protocol", 1, "[]<> consume.0", "N N N Y N Y", Size(764, 2314)),
    computed("alternating_bit", "Protocol", 2, "[]<> consume.0", "N N N Y N Y", Size(2054, 6836)),
    computed("alternating_bit", "Trusted", 1, "[]<> consume.0", "Y Y Y Y Y Y", Size(764, 2314)),
    computed("alternating_bit", "Trusted", 2, "[]<> consume.0", "Y Y Y Y Y Y", Size(2054, 6836)),
    # A handshake needs the server to be free, and others can be quicker; in the queue there is room for all.
    computed("client_server", "Handshakes", 2, ANSWERED, "N N N Y Y Y", Size(12, 20)),
    computed("client_server", "Handshakes", 3, ANSWERED, "N N N Y Y Y", Size(32, 72)),
    computed("client_server", "Queued", 2, ANSWERED, "N Y Y Y Y Y", Size(22, 38)),
    computed("client_server", "Queued", 3, ANSWERED, "N Y Y Y Y Y", Size(98, 222)),
    # Every job may hang: both processes move, and finish is possible after each start, but not all the time.
    computed("watchdog", "System", 2, "[]<> finish", "N N N Y N Y", Size(7, 13)),
    computed("watchdog", "System", 5, "[]<> finish", "N N N Y N Y", Size(13, 25)),
    computed("watchdog", "System", 2, "[](hang -> <> reset)", "Y Y Y Y Y Y", Size(7, 13)),
    computed("watchdog", "System", 2, "[](reset -> (!finish W start))", "Y Y Y Y Y Y", Size(7, 13)),
    # Atomic parts are not protected from each other: with three, two can wait inside theirs.
    computed("test_and_set", "Loose", 2, "[] alone", "N N N N N N", Size(41, 78)),
    computed("test_and_set", "Waiting", 2, "[] alone", "Y Y Y Y Y Y", Size(13, 18)),
    computed("test_and_set", "Waiting", 3, "[] alone", "N N N N N N", Size(127, 249)),
    computed("test_and_set", "Trying", 2, "[] alone", "Y Y Y Y Y Y", Size(23, 34)),
    computed("test_and_set", "Trying", 3, "[] alone", "Y Y Y Y Y Y", Size(79, 141)),
    # What atomic holds back is not enabled. Who tries only when the lock is taken does move, and look.0 is
    # never enabled.
    computed("test_and_set", "Waiting", 2, "[]<> enter.0", "N N N Y Y Y", Size(13, 18)),
    computed("test_and_set", "Trying", 2, "[]<> enter.0", "N N N N N Y", Size(23, 34)),
    computed("test_and_set", "Trying", 3, "[]<> enter.0", "N N N N N Y", Size(79, 141)),
    # A fork that a neighbour takes again and again is free now and then.
    computed("butler", "Served", 3, "[]<> eat.0", "N N N Y Y Y", Size(100, 201)),
    computed("butler", "Served", 4, "[]<> eat.0", "N N N Y Y Y", Size(709, 2104)),
)

PLAIN = (
    PlainRow("alternating_bit.csp", 2, "Protocol() deadlockfree", True),
    PlainRow("client_server.csp", 3, "Handshakes() deadlockfree", True),
    PlainRow("client_server.csp", 3, "Queued() deadlockfree", True),
    PlainRow("watchdog.csp", 3, "System() deadlockfree", True),
    PlainRow("butler.csp", 4, "College() deadlockfree", False),
    PlainRow("butler.csp", 4, "Served() deadlockfree", True),
    # A row of N cells is a queue with N places, seen from outside.
    PlainRow("bounded_buffer.csp", 2, "Row() refines<FD> Queue(N, 0, 0, 1)", True),
    PlainRow("bounded_buffer.csp", 4, "Row() refines Queue(N, 0, 0, 1)", True),
    PlainRow("bounded_buffer.csp", 4, "Row() refines<FD> Queue(N, 0, 0, 1)", True),
    PlainRow("bounded_buffer.csp", 4, "Queue(N, 0, 0, 1) refines<FD> Row()", True),
    PlainRow("bounded_buffer.csp", 4, "Row() refines Queue(N - 1, 0, 0, 1)", False),
    PlainRow("bounded_buffer.csp", 4, "Cells() refines Queue(N, 0, 0, 1)", False),
    PlainRow("bounded_buffer.csp", 4, "Row() deadlockfree", True),
    PlainRow("bounded_buffer.csp", 4, "Row() divergencefree", True),
)
