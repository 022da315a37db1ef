"""What the systems of processes without names must answer, the case studies of process counters among them.

"Given" are the verdicts of Sun et al. (FM 2009): without fairness, and under weak and strong fairness of
processes. Those under the other notions and all sizes were found, as in expected_communication, by systems
written by hand and judged by the oracle, which confirmed the given ones too.
"""

from __future__ import annotations

from tests.support.examples.expected import Origin, PlainRow, Row, Size


def rows(
    name: str, process: str, sizes: dict[int, Size], formulas: dict[str, str], origin: Origin = Origin.GIVEN
) -> tuple[Row, ...]:
    """Each formula with its verdicts, for each size."""
    return tuple(
        Row(f"{name}.csp", process, n, formula, verdicts, size, origin)
        for n, size in sizes.items()
        for formula, verdicts in formulas.items()
    )


READING_ENDS = "[](read_inv -> <> read_res)"
PUSH_ENDS = "[](push_inv -> <> push_res)"

NETWORKS = {2: Size(12, 36), 3: Size(24, 99), 4: Size(48, 276), 5: Size(96, 757), 10: Size(3072, 80394)}
DETECTED = {3: Size(250, 1235), 4: Size(1250, 9225), 5: Size(6250, 64375)}
LIBRARIES = {2: Size(6, 12), 3: Size(11, 30)}
REGISTERS = {1: Size(226, 576), 2: Size(2262, 7982), 3: Size(23482, 106076)}
STACKS = {1: Size(93, 201), 2: Size(889, 2907), 3: Size(7479, 32796)}
LOCKS = {2: Size(13, 20), 3: Size(37, 78), 4: Size(97, 264), 10: Size(15361, 102420)}

ROWS = (
    # Weak fairness of processes suffices, as the oracle is a process of its own.
    *rows("leader_complete", "Network", NETWORKS, {"<>[] oneLeader": "N Y Y Y Y Y"}),
    *rows("many_readers_writers", "Library", LIBRARIES, {"[] safe": "Y Y Y Y Y Y"}),
    *rows("register", "System", REGISTERS, {READING_ENDS: "N Y Y Y Y Y"}),
    # The watched process tries forever, each time too late.
    *rows("lock_free_stack", "System", STACKS, {PUSH_ENDS: "N N N N N Y"}),
    *rows("meta_lock", "System", LOCKS, {"[]<> access": "Y Y Y Y Y Y"}),
    # That a detector is never put right is a choice within one process; with two nodes it does no harm.
    *rows(
        "leader_detectors", "Network", {2: Size(50, 149)}, {"<>[] oneLeader": "N Y Y Y Y Y"}, Origin.COMPUTED
    ),
    *rows("leader_detectors", "Network", DETECTED, {"<>[] oneLeader": "N Y N Y N Y"}, Origin.COMPUTED),
    # Given: N without fairness.
    *rows("many_readers_writers", "Library", LIBRARIES, {"[]<> reading": "N N N Y Y Y"}, Origin.COMPUTED),
    *rows("register", "System", REGISTERS, {"!value.2 W set.2": "Y Y Y Y Y Y"}, Origin.COMPUTED),
    *rows("lock_free_stack", "System", STACKS, {"[]<> (push_res || done)": "Y Y Y Y Y Y"}, Origin.COMPUTED),
    *rows("meta_lock", "System", LOCKS, {"[] alone": "Y Y Y Y Y Y"}, Origin.COMPUTED),
)

PLAIN = (
    PlainRow("many_readers_writers.csp", 3, "Library() deadlockfree", True),
    PlainRow("register.csp", 3, "System() deadlockfree", True),
    PlainRow("lock_free_stack.csp", 3, "System() deadlockfree", True),
    PlainRow("meta_lock.csp", 6, "System() deadlockfree", True),
)
