"""What the protocols, lock-free structures and schedulers of the gallery must answer.

Each file says why. All verdicts and sizes are confirmed by systems written by hand (gallery_by_hand), which
the oracle judges; fairlead has no part in that.
"""

from __future__ import annotations

from tests.support.examples.expected import Origin, PlainRow, Row, Size, bit_init


def computed(name: str, process: str, n: int, formula: str, verdicts: str, size: Size) -> Row:
    return Row(f"{name}.csp", process, n, formula, verdicts, size, Origin.COMPUTED)


ORIENTED, PROPER, AGREED = "<>[] oriented", "<>[] proper", "<>[] agreed"
GOES_ON, DONE = "[]<> x == 0", "[]<> done.0"
RUNS, DELIVERS = "[]<> run.(N-1)", "[]<> deliver.0"

ROWS = (
    # Two neighbours point at each other in a quarter of all configurations, and then either of them turns.
    computed("orient_ring", "Ring", 3, ORIENTED, "N N N Y Y Y", Size(8, 12, *bit_init(3))),
    computed("orient_ring", "Ring", 5, ORIENTED, "N N N Y Y Y", Size(32, 80, *bit_init(5))),
    computed("colouring", "Ring", 3, PROPER, "N N N Y N Y", Size(27, 54, *bit_init(3, 3))),
    computed("colouring", "Ring", 4, PROPER, "N N N N N Y", Size(81, 216, *bit_init(4, 3))),
    computed("majority", "Network", 3, AGREED, "Y Y Y Y Y Y", Size(5, 6)),
    computed("majority", "Network", 5, AGREED, "N Y N Y N Y", Size(61, 240)),
    computed("counter", "Counter", 2, GOES_ON, "Y Y Y Y Y Y", Size(63, 126)),
    computed("counter", "Counter", 2, DONE, "N N N N N Y", Size(63, 126)),
    computed("counter", "Counter", 3, DONE, "N N N N N Y", Size(351, 1053)),
    computed("counter", "Named", 2, GOES_ON, "Y Y Y Y Y Y", Size(63, 126)),
    computed("counter", "Named", 2, DONE, "N N N Y N Y", Size(63, 126)),
    computed("counter", "Named", 3, DONE, "N N N Y N Y", Size(351, 1053)),
    computed("policies", "Turns", 3, RUNS, "Y Y Y Y Y Y", Size(3, 3)),
    computed("policies", "Any", 3, RUNS, "N Y N Y N Y", Size(1, 3)),
    computed("policies", "ByRank", 2, RUNS, "N N N Y N Y", Size(4, 7)),
    computed("policies", "ByRank", 3, RUNS, "N N N Y N Y", Size(8, 19)),
    computed("policies", "Greedy", 2, RUNS, "N N N N N N", Size(4, 7)),
    computed("policies", "Greedy", 3, RUNS, "N N N N N N", Size(8, 19)),
    computed("go_back_n", "Protocol", 1, DELIVERS, "N N N Y N Y", Size(230, 604)),
    computed("go_back_n", "Protocol", 2, DELIVERS, "N N N Y N Y", Size(954, 2619)),
    computed("go_back_n", "Impatient", 1, DELIVERS, "N N N N N Y", Size(230, 604)),
    computed("go_back_n", "Impatient", 2, DELIVERS, "N N N N N Y", Size(945, 2604)),
)

PLAIN = (
    PlainRow("counter.csp", 3, "Counter() deadlockfree", True),
    PlainRow("go_back_n.csp", 2, "Protocol() deadlockfree", True),
    PlainRow("go_back_n.csp", 2, "Impatient() deadlockfree", True),
    # the head was another one in the meantime
    PlainRow("treiber_stack.csp", 2, "Reused() reaches broken", True),
    PlainRow("treiber_stack.csp", 2, "Guarded() reaches broken", False),
    PlainRow("treiber_stack.csp", 3, "Guarded() reaches broken", False),
    PlainRow("treiber_stack.csp", 2, "Guarded() deadlockfree", True),
)
